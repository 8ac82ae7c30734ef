package search

import (
	"maps"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// answer is a kind of thing that a question asks for and that a message shows
// by its words whether it holds one.
type answer int

const (
	anyAnswer answer = iota
	aTime
	aNumber
)

// answerWeight is what a message gets that holds a thing of the kind that a
// question asks for; half and twice as much gain nearly the same.
// answerWeightAlone is what it gets in a search by meaning alone, where one
// standard deviation of the similarities counts 1.
const (
	answerWeight      = 0.4
	answerWeightAlone = 1
)

// answerWords are how one language asks for a time and for a number, at the
// beginning of a question, and the words that say them; those that are common
// words of another meaning, such as articles, are left out.
type answerWords struct {
	when, howMany []string
	times, counts string
}

var answerLanguages = []answerWords{
	{ // English
		[]string{"when", "since when", "what year", "what month", "what day", "what date", "what time", "which year", "which month", "which day",
			"in what year", "in which year", "in what month", "in which month", "on what day", "on which day", "how long", "how recently"},
		[]string{"how many", "how much", "how old", "how often", "how far", "what number"},
		`yesterday today tonight tomorrow ago last next recently since week weeks weekend weekends month months year years day days
		monday tuesday wednesday thursday friday saturday sunday january february april june july august september october november december`,
		"two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million dozen once twice couple half",
	},
	{ // German
		[]string{"wann", "seit wann", "bis wann", "wie lange", "um wie viel uhr", "um wieviel uhr"},
		[]string{"wie viele", "wie viel", "wieviel", "wieviele", "wie alt", "wie oft"},
		`gestern vorgestern heute morgen übermorgen neulich letzte letzten letzter letztes nächste nächsten nächster nächstes seit
		woche wochen wochenende monat monate monaten jahr jahre jahren tag tage tagen uhr
		montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar februar märz april mai juni juli august september oktober november dezember`,
		"zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend einmal zweimal halb",
	},
	{ // Dutch
		[]string{"wanneer", "sinds wanneer", "hoe lang", "hoe laat"},
		[]string{"hoeveel", "hoe oud", "hoe vaak"},
		`gisteren eergisteren vandaag morgen overmorgen vorige volgende sinds geleden week weken weekend maand maanden jaar jaren dag dagen uur
		maandag dinsdag woensdag donderdag vrijdag zaterdag zondag januari februari maart april mei juni juli augustus september oktober november december`,
		"twee drie vier vijf zes zeven acht negen tien elf twaalf twintig honderd duizend",
	},
	{ // French
		[]string{"quand", "depuis quand", "à quelle heure", "en quelle année", "quel jour"},
		[]string{"combien", "quel âge"},
		`hier demain aujourd dernier dernière prochain prochaine depuis semaine semaines weekend mois an ans année années jour jours heure heures
		lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août septembre octobre novembre décembre`,
		"deux trois quatre cinq six sept huit neuf dix onze douze vingt trente cent mille",
	},
	{ // Spanish
		[]string{"cuándo", "desde cuándo", "a qué hora", "en qué año", "qué día"},
		[]string{"cuánto", "cuánta", "cuántos", "cuántas", "qué edad"},
		`ayer anteayer hoy mañana pasado pasada próximo próxima desde semana semanas mes meses año años día días hora horas
		lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre`,
		"dos tres cuatro cinco seis siete ocho nueve diez once doce veinte cien mil",
	},
	{ // Portuguese
		[]string{"quando", "desde quando", "a que horas", "em que ano", "que dia"},
		[]string{"quanto", "quanta", "quantos", "quantas"},
		`ontem anteontem hoje amanhã passado passada próximo próxima desde semana semanas mês meses ano anos dia dias hora horas
		segunda terça quarta quinta sexta sábado domingo janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro`,
		"dois duas três quatro cinco seis sete oito nove dez doze vinte cem mil",
	},
	{ // Italian
		[]string{"quando", "da quando", "a che ora", "in che anno", "che giorno"},
		[]string{"quanto", "quanta", "quanti", "quante"},
		`ieri oggi domani scorso scorsa prossimo prossima settimana settimane mese mesi anno anni giorno giorni ore
		lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre`,
		"due tre quattro cinque sei sette otto nove dieci dodici venti cento mille",
	},
	{ // Swedish
		[]string{"när", "hur länge"},
		[]string{"hur många", "hur mycket", "hur gammal", "hur ofta"},
		"igår idag imorgon sedan förra nästa vecka veckor månad månader år dag dagar måndag tisdag onsdag torsdag fredag lördag söndag januari februari mars april maj juni juli augusti september oktober november december",
		"två tre fyra fem sex sju åtta nio tio tolv tjugo hundra tusen",
	},
	{ // Polish
		[]string{"kiedy", "od kiedy", "o której", "jak długo"},
		[]string{"ile", "ilu"},
		"wczoraj dziś dzisiaj jutro temu zeszłym przyszłym tydzień tygodniu miesiąc miesiącu rok roku lat dni poniedziałek wtorek środę czwartek piątek sobotę niedzielę",
		"dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć sto tysiąc",
	},
	{ // Russian
		[]string{"когда", "с каких пор", "как долго", "во сколько", "в каком году"},
		[]string{"сколько"},
		`вчера позавчера сегодня завтра назад прошлый прошлом прошлой следующий следующей неделя неделю неделе недели месяц месяце месяца год году года лет день дня дней
		понедельник вторник среду четверг пятницу субботу воскресенье января февраля марта апреля мая июня июля августа сентября октября ноября декабря`,
		"два две три четыре пять шесть семь восемь девять десять двадцать сто тысяча",
	},
	{ // Ukrainian
		[]string{"коли", "відколи", "о котрій", "як довго"},
		[]string{"скільки"},
		"вчора сьогодні завтра тому минулого наступного тиждень тижня місяць місяця рік року років день дня днів",
		"два дві три чотири шість сім вісім десять сто тисяча",
	},
	{ // Turkish
		[]string{"ne zaman"},
		[]string{"kaç"},
		"dün bugün yarın önce sonra hafta haftaya ay yıl gün geçen gelecek pazartesi salı çarşamba perşembe cuma cumartesi pazar",
		"iki üç dört beş altı yedi sekiz dokuz on yirmi yüz bin",
	},
}

// spacelessWords are the same of scripts without spaces, where words that ask
// stand anywhere.
type spacelessWords struct{ when, howMany, times, counts []string }

var spacelessLanguages = []spacelessWords{
	{ // Chinese
		[]string{"什么时候", "什麼時候", "何时", "何時", "几点", "幾點", "几号", "幾號", "哪天", "哪年", "多久"},
		[]string{"多少", "几个", "幾個", "几岁", "幾歲", "几次", "幾次"},
		[]string{"昨", "今天", "明天", "前天", "后天", "後天", "上周", "上週", "下周", "下週", "周末", "週末", "星期", "月", "年", "号", "號", "点", "點"},
		[]string{"两", "兩", "二", "三", "四", "五", "六", "七", "八", "九", "十", "百", "千", "万", "萬"},
	},
	{ // Japanese
		[]string{"いつ", "何時", "何日", "何年", "何月", "何曜日"},
		[]string{"いくら", "いくつ", "何人", "何回", "何個", "何歳", "何枚"},
		[]string{"昨日", "今日", "明日", "一昨日", "先週", "来週", "先月", "来月", "去年", "来年", "曜", "月", "時", "分", "午前", "午後"},
		[]string{"二", "三", "四", "五", "六", "七", "八", "九", "十", "百", "千", "万"},
	},
	{ // Korean
		[]string{"언제", "며칠", "몇시"},
		[]string{"얼마", "몇"},
		[]string{"어제", "오늘", "내일", "지난", "다음", "요일", "월", "일", "년", "시에"},
		[]string{"둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열"},
	},
}

// wantedAnswer is what a question asks for, with the words that say it in the
// languages that the question may be in.
type wantedAnswer struct {
	answer
	words map[string]bool
	parts []string // of scripts without spaces
}

// answerOf returns what a question asks for, as far as it begins with words
// that tell.
func answerOf(question string) wantedAnswer {
	begin, spaceless := "", ""
	for _, r := range runsOf(question) {
		if r.Class == segment.Pairs {
			spaceless += r.Text
		}
		begin += r.Text + " "
	}
	found := wantedAnswer{words: map[string]bool{}}
	add := func(a answer, words string, parts []string) {
		if found.answer == anyAnswer {
			found.answer = a
		}
		if found.answer == a {
			maps.Copy(found.words, foldedSet(words))
			found.parts = append(found.parts, parts...)
		}
	}
	starts := func(asker string) bool { return strings.HasPrefix(begin, segment.Fold(asker)+" ") }
	holds := func(asker string) bool { return strings.Contains(spaceless, asker) }
	for _, l := range answerLanguages {
		if slices.ContainsFunc(l.when, starts) {
			add(aTime, l.times, nil)
		} else if slices.ContainsFunc(l.howMany, starts) {
			add(aNumber, l.counts, nil)
		}
	}
	for _, l := range spacelessLanguages {
		if slices.ContainsFunc(l.when, holds) {
			add(aTime, "", l.times)
		} else if slices.ContainsFunc(l.howMany, holds) {
			add(aNumber, "", l.counts)
		}
	}
	return found
}

// in reports whether a text holds a thing of the kind: a time is also a year in
// digits, and a number is anything with a digit.
func (a wantedAnswer) in(text string) bool {
	found := false
	segment.Runs(text, func(r segment.Run) bool {
		switch {
		case r.Class == segment.Pairs:
			found = slices.ContainsFunc(a.parts, func(part string) bool { return strings.Contains(r.Text, part) })
		case a.words[r.Text]:
			found = true
		case a.answer == aTime:
			found = isYear(r.Text)
		case a.answer == aNumber:
			found = strings.ContainsAny(r.Text, "0123456789")
		}
		return !found
	})
	return found
}

// isYear reports whether a word is a year that people write of.
func isYear(word string) bool {
	return len(word) == 4 && (word[:2] == "19" || word[:2] == "20") && isDigit(word[2]) && isDigit(word[3])
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// favourAnswers adds to the scores of messages that hold what a question asks
// for.
func favourAnswers(order []ranked, question string, weight float64) {
	a := answerOf(question)
	if a.answer == anyAnswer {
		return
	}
	for i := range order {
		if a.in(order[i].Body) {
			order[i].score += weight
		}
	}
	sortRanked(order)
}
