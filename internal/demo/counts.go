package demo

// What the sample holds, by service, as its readers hand it over. Messages
// include service lines, calls and deleted messages, attachments those whose
// file the export does not hold.
const (
	SignalConversations = 5
	SignalMessages      = 224
	SignalAttachments   = 4
	SignalReactions     = 29

	WhatsAppConversations = 2
	WhatsAppMessages      = 93
	WhatsAppAttachments   = 3
	WhatsAppReactions     = 0

	TelegramConversations = 2
	TelegramMessages      = 87
	TelegramAttachments   = 5
	TelegramReactions     = 25

	IMessageConversations = 5
	IMessageMessages      = 126
	IMessageAttachments   = 2
	IMessageReactions     = 26
)

// What the sample holds in all.
const (
	ConversationsExpected = SignalConversations + WhatsAppConversations + TelegramConversations + IMessageConversations
	MessagesExpected      = SignalMessages + WhatsAppMessages + TelegramMessages + IMessageMessages
	AttachmentsExpected   = SignalAttachments + WhatsAppAttachments + TelegramAttachments + IMessageAttachments
	ReactionsExpected     = SignalReactions + WhatsAppReactions + TelegramReactions + IMessageReactions
)
