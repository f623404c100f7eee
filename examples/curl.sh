#!/bin/sh
# A search over REST, and the same as a call of a tool over MCP. Needs WEB3_BI_API_KEY.
set -eu
service=${WEB3_BI_BASE_URL:-http://127.0.0.1:4020}
authorization="Authorization: Bearer ${WEB3_BI_API_KEY:?set it to a key of the service}"

curl -fsS -H "$authorization" "$service/api/v1/search?type=companies&query=uniswap&limit=1&fields=website"
echo
curl -fsS -H "$authorization" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
  --data '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"uniswap","type":"companies","limit":1}}}' \
  "$service/mcp"
