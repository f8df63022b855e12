// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { SeedEntry } from './just-bash-find-seed.js'

/** The tree in which the recorded command lines run. */
export const LINES_SEED: readonly SeedEntry[] = [
  { path: '.env', text: '# settings\nPORT=8080\nHOST=localhost\nDB_URL="postgres://u:p@db:5432/app"\nEMPTY=\n' },
  {
    path: 'README.md',
    text: '# Demo\n\nA small demo.\n\n## Install\n\n```sh\nnpm install\n```\n\n## Usage\n\nRun `demo --help`.\nSee [docs](docs/guide.md).\n',
  },
  { path: 'config/app.ini', text: '[server]\nhost = 127.0.0.1\nport = 8080\n\n[db]\nname = demo\npool=5\n; comment\n' },
  {
    path: 'config/app.yml',
    text: 'name: demo\nversion: 1.2.3\nservices:\n  web:\n    image: nginx:1.25\n    ports:\n      - "80:80"\n  db:\n    image: postgres:16\n',
  },
  { path: 'data/numbers.txt', text: '10\n9\n2\n33\n1\n2\n10\n-5\n3.5\n' },
  { path: 'data/orders.csv', text: 'id,person,amount\n1,ann,10.50\n2,bob,7.25\n3,ann,3.00\n4,cid,12.00\n5,bob,1.75\n' },
  { path: 'data/people.csv', text: 'name,age,city\nann,31,Oslo\nbob,25,Rome\ncid,,Bonn\ndan,42,Oslo\n' },
  { path: 'data/sales.tsv', text: 'north\t10\t20\nsouth\t5\t15\neast\t7\t\nwest\t12\t3\n' },
  { path: 'data/words.txt', text: 'pear\napple\nFig\napple\nbanana\nfig\ncherry\npear\napple\n' },
  { path: 'docs/guide.md', text: '# Guide\n\nTODO: write the guide.\n\n- one\n- two\n  - nested\n' },
  { path: 'link.md', target: 'README.md' },
  {
    path: 'logs/access.log',
    text: '10.0.0.1 - - [14/Nov/2023:10:00:01 +0000] "GET /index.html HTTP/1.1" 200 512\n10.0.0.2 - - [14/Nov/2023:10:00:02 +0000] "GET /api/users HTTP/1.1" 500 128\n10.0.0.1 - - [14/Nov/2023:10:00:05 +0000] "POST /api/users HTTP/1.1" 201 64\n10.0.0.3 - - [14/Nov/2023:10:01:00 +0000] "GET /index.html HTTP/1.1" 304 0\n10.0.0.1 - - [14/Nov/2023:10:02:00 +0000] "GET /missing HTTP/1.1" 404 90\n',
  },
  {
    path: 'logs/app.log',
    text: '2023-11-14 10:00:00 INFO start version=1.2.3\n2023-11-14 10:00:01 WARN slow query ms=1200\n2023-11-14 10:00:02 ERROR db timeout code=17\n2023-11-14 10:00:03 INFO retry n=1\n2023-11-14 10:00:04 ERROR db timeout code=17\n2023-11-14 10:00:05 INFO done\n',
  },
  { path: 'my docs/notes one.txt', text: 'first note\nsecond note\n' },
  { path: 'my docs/notes two.txt', text: 'third note\n' },
  {
    path: 'package.json',
    text: '{\n  "name": "demo",\n  "version": "1.2.3",\n  "scripts": {\n    "build": "tsc -b",\n    "test": "vitest run"\n  },\n  "dependencies": {\n    "left-pad": "^1.3.0"\n  }\n}\n',
  },
  {
    path: 'scripts/deploy.sh',
    text: '#!/usr/bin/env bash\nset -euo pipefail\nenv=${1:?usage: deploy ENV}\necho "deploying to $env"\n',
    mode: 0o755,
  },
  {
    path: 'src/app.js',
    text: "import { add } from './util.js'\n\n// TODO: read the port\nconst port = 8080\n\nexport function main(args) {\n  console.log('listening on', port)\n  return add(1, 2)\n}\n",
  },
  {
    path: 'src/lib/math.ts',
    text: 'export const PI = 3.14\n\nexport function area(r: number): number {\n\treturn PI * r * r // FIXME: precision\n}\n',
  },
  { path: 'src/util.js', text: 'export const add = (a, b) => a + b\nexport const sub = (a, b) => a - b\n' },
  { path: 'test/app.test.js', text: "import { main } from '../src/app.js'\n\ntest('main', () => {\n  expect(main()).toBe(3)\n})\n" },
]
