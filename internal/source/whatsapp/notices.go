package whatsapp

import "strings"

// encryptionWords stand in the notice that opens every chat since 2016. Its
// author, on iPhones and on some phones with Android, is the chat's title.
var encryptionWords = strings.Split(
	`end-to-end encrypt|with end-to-end|ende-zu-ende-verschlüssel|extremo a extremo|ponta a ponta|ponto a ponto|bout en bout|crittografati end-to-end|crittografia end-to-end|end-to-end versleuteld|`+
		`end-to-end-versleutel|end-to-end-versleuteling|сквозн|uçtan uca|pełnego szyfrowania|szyfrowane|totalsträckskryptera|end-to-end-krypter|ende-til-ende-krypter|ende-til-ende|täysin salattu|päästä päähän|`+
		`koncově šifrov|end-to-end šifrov|végpontok közötti|végponttól végpontig|criptate integral|integral criptate|διατερματικ|наскрізн|d'extrem a extrem|enkripsi end-to-end|terenkripsi secara end-to-end|`+
		`mã hóa đầu cuối|การเข้ารหัสจากต้นทาง|एंड-टू-एंड|מקצה לקצה|بين الطرفين|سرتاسر|エンドツーエンド|端到端|端對端|종단간|종단 간`, "|")

// groupWords are stems that only notices of groups hold: the word for a group
// and those for coming, going and the group's subject.
var groupWords = strings.Split(
	`group|gruppe|grupo|groupe|gruppo|grup|grub|grupp|gruppen|ryhm|skupin|csoport|ομάδα|групп|груп|nhóm|กลุ่ม|ग्रुप|समूह|קבוצה|المجموعة|مجموعة|گروه|グループ|群组|群組|此群|本群|그룹|`+
		` added | left| removed |changed the subject|joined using|hinzugefügt|hat die gruppe|añadió a |añadió al |te añadió|salió del|a ajouté|est parti|ha aggiunto|ha abbandonato|adicionou|saiu|`+
		`heeft toegevoegd|toegevoegd|добавил|dodał|ekledi|ayrıldı|が参加|が退出|加入了|退出了`, "|")

// isEncryptionNotice reports whether text speaks of end-to-end encryption.
func isEncryptionNotice(text string) bool { return containsAny(text, encryptionWords) }

// isGroupNotice reports whether a notice can only stand in a group.
func isGroupNotice(text string) bool { return containsAny(text, groupWords) }

func containsAny(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
