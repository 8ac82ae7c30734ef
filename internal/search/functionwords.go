package search

import (
	"sync"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// functionWords are, by language, the words that hold a question together and
// tell nothing of what it is about.
var functionWords = sync.OnceValue(func() []map[string]bool {
	lists := [...]string{
		// German
		`aber als am an auch auf aus bei bin bist da das dass dein deine dem den denn der des die dir dich doch du ein eine einem einen einer es
		für gibt hab habe haben habt hast hat hatte hätte ich ihm ihn ihr im in ins ist ja kann kannst man mein meine mich mir mit nach nicht noch
		nur ob oder schon sein seine seit sich sie sind so über um und uns von vom vor wann war waren warum was weil welche welcher welches wem wen
		wenn wer werden wessen wie wieder wieso wieviel wir wird wo woher wohin wurde zu zum zur`,
		// French
		`ai as au aux avec avez avons c ce ces cet cette combien comme comment d dans de des du elle elles en es est et était été être eux il ils
		j je l la le les leur lui m ma mais me mes moi mon n ne nos notre nous on ont ou où par pas pour pourquoi qu quand que quel quelle quelles
		quels qui quoi s sa se ses si son sont sous sur suis t ta te tes toi ton tu un une vos votre vous y`,
		// Spanish
		`a adónde al como cómo con cuál cuáles cuándo cuánta cuántas cuánto cuántos de del desde dónde e el él ella ellos en era eran eres es esa
		ese eso esta está están estar este esto fue fueron ha hay he la las le les lo los más me mi mis muy no nos o para pero por porque que qué
		quién quiénes se ser si sí sin sobre son soy su sus te tengo ti tiene tienen tienes tu tú tus un una unas unos y ya yo`,
		// Portuguese
		`a ao aos as com como da das de do dos e ela ele eles em entre era essa esse esta está estão este eu foi há isso já lhe mais mas me meu minha
		muito na não nas no nos num numa o onde os ou para pela pelo por porque quais qual quando quanta quantas quanto quantos que quem se sem ser
		seu sua são também te tem têm tu um uma você`,
		// Italian
		`a ai al alla anche c che chi ci come con cosa d da dal dalla degli dei del della delle di dove e è era gli ha hai hanno ho i il in io l la
		le lei lo lui ma mi mia mio ne nei nel nella no noi non o per perché più quale quali quando quanta quante quanti quanto se sei si sono su
		sua sul sulla suo ti tu tua tuo un una uno voi`,
		// Dutch
		`aan al als ben bent dan dat de deze die dit een en er ga gaat had heb hebben heeft het hij hoe hoeveel ik in is je jij jouw kan me met mij
		mijn na naar niet nog nu of om onze ook op over te toch toen tot u uit van veel voor waar waarom wanneer was wat we welk welke wel wie wij
		word wordt ze zijn zo zou`,
		// Russian
		`а без бы был была были было быть в вам вас во вот вы где да для до его ее если есть еще же за зачем и из или им их к как какая какие какой
		какое когда кто куда ли меня мне мой моя мы на нам нас не него нее нет но ну о об он она они оно от откуда по почему при с сколько со так
		там тебе тебя то тоже ты у уже чего чей чем что чтобы это этот эта я`,
		// Polish
		`a aby ale bo by był była było być ci co czy czyj dla dlaczego do gdzie go i ich ile im ja jak jaka jaki jakie je jego jej jest jestem już
		kiedy kogo komu kto która które który lub ma mam masz mi mnie mój może my na nam nas nie o od on ona oni po pod się są skąd ta tak tam te
		tego ten to tu twój ty w we wy z za ze że`,
		// Turkish
		`acaba ama ben beni benim bir biz bu da daha de değil diye en gibi hangi için ile kaç kim mi mı mu mü nasıl ne neden nerede nereden nereye
		o onlar onu onun sen seni senin siz şu var ve veya ya yok zaman`,
		// Swedish, Danish and Norwegian
		`att av da de dem den denne der det dig din du e efter ej eller en er ett etter för för fra från får ha han har hon hun hur hva hvad hvem
		hver hvilken hvor hvordan hvorfor hvornår i ikke inte jag jeg kan med meg mig min mitt mot må när og också och om oss på så som sig sin ska
		skal till til ut vad var varför vem vi vid vil vilka vilken vilket være är`,
	}
	sets := make([]map[string]bool, len(lists))
	for i, list := range lists {
		sets[i] = foldedSet(list)
	}
	return sets
})

// enoughWords is how many function words of a language tell that a question is
// in it: die and hat are English words, too.
const enoughWords = 2

// stopWordsOf returns what tells the function words among the words of a
// question: those of English, and those of the language most of its function
// words are from.
func stopWordsOf(runs []segment.Run) func(string) bool {
	english := 0
	for _, r := range runs {
		if segment.IsStopWord(r.Text) {
			english++
		}
	}
	var language map[string]bool
	most := max(english, enoughWords-1)
	for _, set := range functionWords() {
		n := 0
		for _, r := range runs {
			if set[r.Text] {
				n++
			}
		}
		if n > most {
			language, most = set, n
		}
	}
	return func(word string) bool { return segment.IsStopWord(word) || language[word] }
}
