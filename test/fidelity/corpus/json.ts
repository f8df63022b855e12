import type { Case } from '../case.js'

/** jq over the project's JSON. */
export const json: readonly Case[] = [
  { script: 'jq . config/env/dev.json' },
  { script: `jq -r '.name + "@" + .version' package.json` },
  { script: `jq '.dependencies | keys' package.json` },
  { script: String.raw`jq -r '.dependencies | to_entries[] | "\(.key) \(.value)"' package.json` },
  { script: `jq -r '.scripts | keys[]' package.json` },
  { script: `jq 'length' data/orders.json; jq '.[0]' data/orders.json` },
  { script: `jq -c '.[] | select(.paid)' data/orders.json` },
  { script: `jq '[.[].total] | add' data/orders.json; jq 'map(.total) | max, min' data/orders.json` },
  { script: `jq -r '.[] | [.id, .customer, .total] | @csv' data/orders.json; jq -r '.[] | [.id, .customer] | @tsv' data/orders.json` },
  { script: `jq -c 'group_by(.customer) | map({customer: .[0].customer, orders: length, total: (map(.total) | add)})' data/orders.json` },
  { script: `jq -c 'sort_by(.total) | reverse | .[:2] | map(.id)' data/orders.json` },
  { script: `jq -r '.[].items[]' data/orders.json | sort | uniq -c` },
  { script: `jq '.version = "2.0.0"' package.json > p.json && mv p.json package.json && jq -r .version package.json` },
  { script: `jq --arg v 1.9.9 '.version = $v | .version' package.json; jq -n --argjson n 5 --arg s hi '{n: $n, s: $s}'` },
  { script: `jq -c 'del(.devDependencies) | .scripts |= with_entries(.value |= "run " + .)' package.json` },
  { script: `jq -e '.dependencies.react' package.json; echo $?; jq -e '.private' package.json; echo $?` },
  {
    script: `jq -s 'length' data/events.ndjson; jq -r 'select(.type=="login") | .user' data/events.ndjson; jq -sc 'map(.user) | unique' data/events.ndjson`,
  },
  {
    script: `jq -s '.[0] * .[1]' config/env/dev.json config/env/prod.json; jq -c --slurpfile p config/env/prod.json '. + $p[0]' config/env/dev.json`,
  },
  {
    script: `jq -r '.missing // "default"' config/env/dev.json; jq '.a.b.c?' <<< '{"a":1}'; jq -c '[.[] | .items | length]' data/orders.json`,
  },
  { script: `echo '{"a":[1,{"b":2}]}' | jq -c '[paths | map(tostring) | join(".")], [.. | numbers]'; echo '{"b":1,"a":2}' | jq -S -c .` },
  {
    script: `echo 'not json' | jq . 2>/dev/null; echo $?; jq .foo missing.json 2>/dev/null; echo $?; jq '.[' <<< '[]' 2>/dev/null; echo $?`,
  },
  {
    script: String.raw`jq -R -s -c 'split("\n") | map(select(length > 0))' notes/no-newline.txt; jq -Rr 'ascii_upcase' <<< abc; jq -n -c '[range(5)] | map(. * .)'`,
  },
  {
    script: String.raw`jq -r '.[] | if .paid then "\(.id): paid" elif .total > 50 then "\(.id): chase" else "\(.id): open" end' data/orders.json`,
  },
  {
    script: `jq -c 'reduce .[] as $o ({}; .[$o.customer] += $o.total)' data/orders.json; jq -r 'map(.customer) | unique | join(", ")' data/orders.json`,
  },
  {
    script: `echo '"2024-03-01"' | jq -r 'split("-") | map(tonumber) | @json'; jq -r '.name | test("service"), sub("-";"_"), length' package.json; jq -r '@base64' <<< '"hi"'`,
  },
  { script: String.raw`jq '.a.b[1:]' | tr -d ' \n'; echo`, stdin: '{"a":{"b":[10,20,30]}}' },
  {
    script: String.raw`tail -n +2 data/people.csv | jq -Rsc '
  split("\n") | map(select(. != "") | split(",")
  | {name: .[1], city: .[2], age: (.[3] | tonumber)})
  | map(select(.city == "Berlin"))'`,
  },
]
