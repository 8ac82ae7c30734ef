package spam

import (
	"slices"
	"strings"
	"sync"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// A sign is what a phrase hints at.
type sign = int

const (
	signOTP sign = iota
	signDelivery
	signBank
	signAppointment
	signPolitical
	signCharity
	signDebt
	signPrize    // something to be won or claimed
	signPressure // act now, verify, or lose it
	signLure     // a stranger who seems to have a wrong number
	signPromo
	signPerson // somebody talks about themselves
	signs
)

// signPhrases are the phrases by what they hint at, separated by commas.
var signPhrases = [signs]string{
	signOTP: `verification code,security code,one time code,one time password,one time passcode,passcode,login code,sign in code,access code,
		confirmation code,authentication code,your code,code is,code to verify,otp,2fa,verification pin,temporary password`,
	signDelivery: `your package,your parcel,your order,your delivery,out for delivery,has been delivered,was delivered,has shipped,tracking number,
		track your,courier,usps,fedex,ups,dhl,royal mail,delivery window,arriving today`,
	signBank: `account ending,card ending,debit card,credit card,was declined,available balance,direct deposit,transaction of,purchase of,fraud alert,
		your bank,low balance,payment received,payment due,statement is ready,withdrawal of,zelle,overdraft`,
	signAppointment: `appointment,your visit,reminder you have,reply c to confirm,confirm your,reschedule,your reservation,dr appt,prescription,refill,
		check in online,pick up your`,
	signPolitical: `vote,voter,ballot,election,campaign,congress,senate,senator,democrat,democrats,republican,republicans,gop,polling place,early voting,
		chip in,petition,trump,biden,governor,candidate,paid for by`,
	signCharity: `donate,donation,donations,charity,fundraiser,nonprofit,non profit,tax deductible,relief fund,your gift,matching gift,volunteer`,
	signDebt: `debt,past due,overdue,owed,collection agency,collections,outstanding balance,settle your,debt collector,garnish,
		attempt to collect`,
	signPrize: `you have won,youve won,you won,winner,won a,prize,guaranteed,claim,to claim,lottery,jackpot,selected to receive,chosen to receive,awarded,
		free gift,gift card,cash prize,bonus caller,sweepstakes,1000 cash`,
	signPressure: `account has been suspended,account suspended,account is locked,account has been locked,account locked,been limited,unusual activity,suspicious activity,
		unauthorized,verify your account,verify your identity,update your address,update your information,confirm your identity,final notice,last notice,
		legal action,arrest,warrant,unpaid toll,toll balance,outstanding toll,customs fee,redelivery,unable to deliver,cannot be delivered,could not be delivered,
		failed delivery,incomplete address,social security,irs,refund pending,act now,urgent,immediately,within 24 hours,bitcoin,crypto,investment opportunity,
		work from home,earn up to,part time job,per day from home,whatsapp me,add me on,telegram`,
	signLure: `is this,are you still,do you remember me,did i get the right number,i got your number,long time no see,sorry wrong number,nice to meet you`,
	signPromo: `sale,off,discount,coupon,promo,deal,deals,offer,offers,save,free,limited time,shop,buy,order now,subscribe,unsubscribe,reply stop,text stop,txt stop,
		stop to end,stop to opt out,stop 2 end,msg data rates,msg rates apply,std msg,insurance,quote,rates,mortgage,refinance,cash offer,buy your house,sell your,
		interested in selling,call now,click here,exclusive,new arrivals,ringtone,ringtones,tones,chat,subscription,per msg,per week,upgrade,latest,mobile,camera,
		18,adult,dating,credits,txt,claims,accident,medicare,solar,warranty,member,rewards,points,giveaway,apply now,approved,join,loan,loans,payday,borrow,credit repair,credit check,bad credit`,
	signPerson: `i,im,ill,ive,me,my,u,we,were,love,lol,haha,thanks,sorry,ok,dinner,tonight,home`,
}

var signTable = sync.OnceValue(func() *phrases {
	table := &phrases{}
	for s, list := range signPhrases {
		for text := range strings.SplitSeq(list, ",") {
			table.add(strings.TrimSpace(text), s)
		}
	}
	return table
})

// maxShown bounds the phrases that a reason names.
const maxShown = 4

// evidence is what the signs of one body are.
type evidence struct {
	shown [signs][]string
}

func (e *evidence) has(s sign) bool { return len(e.shown[s]) > 0 }

// suggest says what kind of message a body seems to be. The order of the
// questions is from what is easily told to what is left over.
func suggest(body string, text []string, f record.Fields, inbound bool) record.Category {
	if !inbound || len(text) == 0 {
		return record.Category{}
	}
	e := &evidence{}
	signTable().find(text, func(found phrase) {
		if list := e.shown[found.group]; len(list) < maxShown && !slices.Contains(list, found.shown) {
			e.shown[found.group] = append(list, found.shown)
		}
	})
	link, callback := len(f.URLs) > 0, len(f.Callbacks) > 0
	disguised := slices.ContainsFunc(f.URLs, func(u record.URL) bool { return u.Obfuscated || u.Mixed })
	contact := link || callback || len(f.Emails) > 0
	switch {
	case disguised:
		return record.Category{Name: record.ScamLike, Reason: "a link is disguised"}
	case e.has(signOTP) && hasCode(text):
		return e.because(record.OTP, signOTP, "a code of digits")
	case e.has(signPressure) && contact:
		return e.because(record.ScamLike, signPressure, "a link or number")
	case e.has(signPrize) && contact:
		return e.because(record.ScamLike, signPrize, "a link or number")
	case e.has(signDebt):
		return e.because(record.Debt, signDebt, "")
	case e.has(signDelivery):
		return e.because(record.Delivery, signDelivery, "")
	case e.has(signBank):
		return e.because(record.BankAlert, signBank, "")
	case e.has(signAppointment):
		return e.because(record.Appointment, signAppointment, "")
	case e.has(signPolitical):
		return e.because(record.Political, signPolitical, "")
	case e.has(signCharity):
		return e.because(record.Charity, signCharity, "")
	case e.has(signPromo) && (contact || len(e.shown[signPromo]) > 1 || strings.ContainsAny(body, "$£€%")):
		return e.because(record.Promo, signPromo, "")
	case e.has(signLure) && !contact && len(text) <= 12:
		return e.because(record.ScamLike, signLure, "a short opening by a stranger")
	case e.has(signPerson) && !contact:
		return e.because(record.Personal, signPerson, "no link, number or address")
	}
	return record.Category{}
}

func (e *evidence) because(name record.CategoryName, s sign, also string) record.Category {
	reason := "words: " + strings.Join(e.shown[s], ", ")
	if also != "" {
		reason += "; " + also
	}
	return record.Category{Name: name, Reason: reason}
}

// hasCode reports whether a word is 4 to 8 digits.
func hasCode(text []string) bool {
	return slices.ContainsFunc(text, func(w string) bool { return len(w) >= 4 && len(w) <= 8 && allDigits(w) })
}
