#!/bin/sh
# Runs the public MCP conformance suite and the Inspector's strict checks
# against a msgbrowse binary.
#
#   tools/conformance/run.sh BINARY DATA_DIR
#
# BINARY is served over HTTP on a free port of 127.0.0.1 and over stdio, with
# the archive in DATA_DIR. Node and the two tools are installed once, into
# $MSGBROWSE_NODE_CACHE or a folder of the user's cache, and need npm and the
# network for that only. Exit status 0 means that everything passed except for
# the scenarios listed in the baselines beside this script.
set -eu

node_version=24
conformance_version=0.2.0-alpha.12
inspector_version=2.12.0

if [ $# -ne 2 ]; then
	echo "usage: $0 BINARY DATA_DIR" >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
data_dir=$(cd "$2" && pwd)
[ -x "$binary" ] || { echo "$binary is not an executable file" >&2; exit 2; }

case $(uname -s) in
Darwin) user_cache=$HOME/Library/Caches ;;
*) user_cache=${XDG_CACHE_HOME:-$HOME/.cache} ;;
esac
cache=${MSGBROWSE_NODE_CACHE:-$user_cache/msgbrowse/node}

# Everything the run writes, the Inspector's settings included, goes here.
work=$(mktemp -d)
server=
cleanup() {
	if [ -n "$server" ]; then
		kill "$server" 2>/dev/null || true
		wait "$server" 2>/dev/null || true
	fi
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# installed reports whether the cache holds package $1 in version $2.
installed() {
	grep -q "\"version\": \"$2" "$cache/node_modules/$1/package.json" 2>/dev/null
}

if ! installed node "$node_version." ||
	! installed @modelcontextprotocol/conformance "$conformance_version" ||
	! installed @modelcontextprotocol/inspector "$inspector_version"; then
	echo "installing node $node_version, conformance $conformance_version and inspector $inspector_version into $cache"
	mkdir -p "$cache"
	npm install --prefix "$cache" --no-fund --no-audit --loglevel=error \
		"node@$node_version" \
		"@modelcontextprotocol/conformance@$conformance_version" \
		"@modelcontextprotocol/inspector@$inspector_version"
fi
PATH=$cache/node_modules/.bin:$PATH
HOME=$work/home
export PATH HOME
mkdir "$HOME"

failures=0
fail() {
	echo "FAILED: $1" >&2
	failures=$((failures + 1))
}

# The server is started before the port is known to be free for certain, so
# another program may win the race: try again with another port.
start_server() {
	for attempt in 1 2 3; do
		port=$(node -e 's = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
		url=http://127.0.0.1:$port/mcp
		"$binary" --data-dir "$data_dir" mcp --http --listen "127.0.0.1:$port" >"$work/server.out" 2>"$work/server.err" &
		server=$!
		for wait in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			kill -0 "$server" 2>/dev/null || break
			# A GET is answered 405 as soon as the server is there.
			if node -e 'fetch(process.argv[1]).then(r => process.exit(r.status == 405 ? 0 : 1), () => process.exit(1))' "$url"; then
				return 0
			fi
			sleep 0.2
		done
		kill "$server" 2>/dev/null || true
		wait "$server" 2>/dev/null || true
		server=
	done
	echo "the server did not start:" >&2
	cat "$work/server.err" >&2
	return 1
}
start_server

for revision in 2025-11-25 2026-07-28; do
	log=$work/conformance-$revision.log
	if conformance server --url "$url" --requirements "$revision" \
		--expected-failures "$here/baseline-$revision.yml" >"$log" 2>&1; then
		echo "conformance $revision: $(grep '^Total:' "$log"), all failures expected"
	else
		sed -n '/=== SUMMARY ===/,$p' "$log" >&2
		fail "conformance $revision"
	fi
done

# strict lists the tools of a target and fails on any remark about a schema.
strict() {
	name=$1
	shift
	out=$work/strict.json
	if ! mcp-inspector --cli "$@" --method tools/list --strict --format json -q >"$out" 2>"$work/strict.err"; then
		cat "$work/strict.err" >&2
		fail "inspector over $name"
		return
	fi
	if node -e '
		const answer = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))
		for (const tool of answer.schemaFindings ?? [])
			for (const f of tool.findings) console.error(`${f.severity}: ${tool.toolName} ${f.schema}.${f.path}: ${f.issue}`)
		const tools = answer.result.tools.length
		console.log(`inspector over ${process.argv[2]}: ${tools} tools, ${answer.schemaFindings ? "with remarks" : "no remarks"}`)
		process.exit(tools > 0 && !answer.schemaFindings ? 0 : 1)
	' "$out" "$name"; then :; else
		fail "inspector over $name"
	fi
}
strict http --transport http "$url"
strict stdio "$binary" --data-dir "$data_dir" mcp

kill -0 "$server" 2>/dev/null || fail "the server died during the run"

if [ "$failures" -gt 0 ]; then
	echo "conformance: $failures of 4 runs failed" >&2
	exit 1
fi
echo "conformance: passed (2025-11-25, 2026-07-28, strict schemas over http and stdio)"
