package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func (t *tools) addPrompts(server *sdk.Server) {
	server.AddPrompt(&sdk.Prompt{
		Name: "find_message", Title: "Find a message",
		Description: "Find who said something and when, and quote it with its citation",
		Arguments: []*sdk.PromptArgument{
			{Name: "about", Title: "About", Description: "what was said, as far as you remember", Required: true},
			{Name: "conversation", Title: "Conversation", Description: "in which conversation, if you know"},
		},
	}, findMessagePrompt)
	server.AddPrompt(&sdk.Prompt{
		Name: "summarize_conversation", Title: "Summarize a conversation",
		Description: "Summarize what was talked about in a conversation, every statement with its citation",
		Arguments: []*sdk.PromptArgument{
			{Name: "conversation", Title: "Conversation", Description: "id, exact name or unique part of the name", Required: true},
			{Name: "start", Title: "From", Description: "from this date on, YYYY-MM-DD"},
			{Name: "end", Title: "To", Description: "up to this date"},
		},
	}, summarizePrompt)
}

func prompt(description, text string) *sdk.GetPromptResult {
	return &sdk.GetPromptResult{Description: description, Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}}
}

func invalidParams(text string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: text}
}

func findMessagePrompt(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	about := strings.TrimSpace(req.Params.Arguments["about"])
	if about == "" {
		return nil, invalidParams("argument about is required: say what you are looking for")
	}
	where := ""
	if c := strings.TrimSpace(req.Params.Arguments["conversation"]); c != "" {
		where = fmt.Sprintf(" Look in the conversation %q.", inert.Line(c))
	}
	return prompt("Find a message", fmt.Sprintf("Find the message in my archive about: %s.%s\n"+
		"Search with the words it would contain and with the question itself; try other words if nothing fits. Read around the best hits with get_context. "+
		"Answer with the exact quotation, who wrote it, in which conversation and when, and its message_id. If it is not there, say what you searched for.",
		inert.Line(about), where)), nil
}

func summarizePrompt(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	name := strings.TrimSpace(req.Params.Arguments["conversation"])
	if name == "" {
		return nil, invalidParams("argument conversation is required: pass its id or name")
	}
	period := ""
	if start := strings.TrimSpace(req.Params.Arguments["start"]); start != "" {
		period += " from " + inert.Line(start)
	}
	if end := strings.TrimSpace(req.Params.Arguments["end"]); end != "" {
		period += " up to " + inert.Line(end)
	}
	return prompt("Summarize a conversation", fmt.Sprintf("Read my conversation %q%s with get_conversation (format transcript, all pages by cursor) and summarize it: "+
		"what was decided, what is open, what was promised by whom. Put the message_id after every statement. Leave out what you cannot cite.",
		inert.Line(name), period)), nil
}

// maxCompletions is what the protocol allows in one answer.
const maxCompletions = 100

// complete offers names of conversations, each once, and ids where a resource
// wants one.
func (t *tools) complete(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	result := &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}
	ref := req.Params.Ref
	wantsID := ref != nil && ref.Type == "ref/resource" && ref.URI == conversationTemplate && req.Params.Argument.Name == "id"
	wantsName := ref != nil && ref.Type == "ref/prompt" && req.Params.Argument.Name == "conversation"
	if !wantsID && !wantsName {
		return result, nil
	}
	list, total, err := t.r.ListConversations(ctx, store.ConversationQuery{Text: req.Params.Argument.Value, Order: store.ByRecent, Limit: maxCompletions})
	if err != nil {
		return nil, err
	}
	typed := strings.ToLower(strings.TrimSpace(req.Params.Argument.Value))
	slices.SortStableFunc(list, func(a, b store.Conversation) int { // names that begin so come first
		return cmp.Compare(beginsAfter(a.Name, typed), beginsAfter(b.Name, typed))
	})
	for _, c := range list {
		value := name(c.Name)
		if wantsID || value != c.Name { // a name that had to be cleaned would not be found
			value = strconv.FormatInt(c.ID, 10)
		}
		if !slices.Contains(result.Completion.Values, value) {
			result.Completion.Values = append(result.Completion.Values, value)
		}
	}
	result.Completion.Total, result.Completion.HasMore = total-len(list)+len(result.Completion.Values), total > len(list)
	return result, nil
}

func beginsAfter(name, typed string) int {
	if strings.HasPrefix(strings.ToLower(name), typed) {
		return 0
	}
	return 1
}
