const LOG = [
  '2024-03-01T08:00:01Z INFO  server listening on port 8080',
  '2024-03-01T08:00:04Z DEBUG cache warmed entries=128',
  '2024-03-01T08:01:10Z INFO  GET /api/users 200 12ms ip=10.0.0.5',
  '2024-03-01T08:01:11Z INFO  GET /api/users/7 200 9ms ip=10.0.0.5',
  '2024-03-01T08:01:45Z WARN  slow query took 1204ms table=orders',
  '2024-03-01T08:02:02Z INFO  POST /api/orders 201 48ms ip=10.0.0.9',
  '2024-03-01T08:02:30Z ERROR payment failed order=1007 code=E_DECLINED',
  '2024-03-01T08:03:00Z INFO  GET /health 200 1ms ip=10.0.0.2',
  '2024-03-01T08:03:12Z INFO  GET /api/orders 200 77ms ip=10.0.0.9',
  '2024-03-01T08:03:59Z DEBUG cache hit key=user:7',
  '2024-03-01T08:04:00Z INFO  GET /health 200 1ms ip=10.0.0.2',
  '2024-03-01T08:04:21Z INFO  GET /api/missing 404 3ms ip=10.0.0.31',
  '2024-03-01T08:05:00Z INFO  GET /health 200 2ms ip=10.0.0.2',
  '2024-03-01T08:05:40Z ERROR database timeout after 5000ms code=E_TIMEOUT',
  '2024-03-01T08:05:41Z ERROR database timeout after 5000ms code=E_TIMEOUT',
  '    at Pool.acquire (src/server.ts:42:11)',
  '    at handler (src/server.ts:17:5)',
  '2024-03-01T08:05:42Z WARN  retrying connection attempt=1',
  '2024-03-01T08:05:44Z WARN  retrying connection attempt=2',
  '2024-03-01T08:05:48Z INFO  connection restored',
  '2024-03-01T08:06:00Z INFO  GET /health 200 1ms ip=10.0.0.2',
  '2024-03-01T08:06:15Z INFO  PUT /api/users/7 204 31ms ip=10.0.0.5',
  '2024-03-01T08:07:00Z INFO  GET /health 200 1ms ip=10.0.0.2',
  '2024-03-01T08:07:33Z INFO  GET /api/users 500 102ms ip=10.0.0.31',
  '2024-03-01T08:07:33Z ERROR unhandled exception in /api/users code=E_NULL',
  '2024-03-01T08:08:00Z INFO  GET /health 200 1ms ip=10.0.0.2',
  '2024-03-01T09:10:05Z INFO  DELETE /api/orders/1003 204 22ms ip=10.0.0.9',
  '2024-03-01T09:11:17Z DEBUG cache miss key=order:1003',
  '2024-03-01T09:12:48Z INFO  GET /api/orders/1003 404 4ms ip=10.0.0.9',
  '2024-03-01T09:15:00Z WARN  disk usage at 81%',
  '2024-03-01T09:20:00Z WARN  disk usage at 86%',
  '2024-03-01T09:25:00Z ERROR disk usage at 95% code=E_DISK',
  '2024-03-01T09:26:30Z INFO  log rotation started',
  '2024-03-01T09:26:38Z INFO  log rotation finished files=4',
  '2024-03-01T10:00:00Z INFO  GET /health 200 1ms ip=10.0.0.2',
  '2024-03-01T10:02:14Z INFO  POST /login 401 15ms ip=10.0.0.77',
  '2024-03-01T10:02:16Z INFO  POST /login 401 14ms ip=10.0.0.77',
  '2024-03-01T10:02:18Z INFO  POST /login 401 14ms ip=10.0.0.77',
  '2024-03-01T10:02:19Z WARN  too many failed logins ip=10.0.0.77',
  '2024-03-01T10:05:51Z INFO  POST /login 200 44ms ip=10.0.0.5',
  '2024-03-01T10:06:02Z DEBUG session created id=ab12',
  '2024-03-01T10:07:25Z INFO  GET /api/users?page=2 200 19ms ip=10.0.0.5',
  '2024-03-01T10:09:09Z INFO  GET /api/orders?status=open 200 63ms ip=10.0.0.5',
  '2024-03-01T10:11:00Z ERROR payment failed order=1011 code=E_DECLINED',
  '2024-03-01T11:00:00Z INFO  GET /health 200 1ms ip=10.0.0.2',
  '2024-03-01T11:30:12Z INFO  nightly report queued',
  '2024-03-01T11:30:55Z INFO  nightly report sent to=ops@example.com',
  '2024-03-01T12:00:00Z INFO  GET /health 200 1ms ip=10.0.0.2',
  '2024-03-02T00:00:00Z INFO  GET /health 200 1ms ip=10.0.0.2',
  '2024-03-02T00:00:03Z DEBUG cache evicted entries=64',
  '2024-03-02T00:13:37Z WARN  deprecated endpoint /v1/users ip=10.0.0.31',
  '2024-03-02T00:14:20Z ERROR payment failed order=1015 code=E_EXPIRED',
  '2024-03-02T00:15:00Z INFO  GET /api/users 200 11ms ip=10.0.0.31',
  '2024-03-02T00:16:42Z INFO  PATCH /api/orders/1015 200 37ms ip=10.0.0.9',
  '2024-03-02T00:20:00Z INFO  shutdown requested signal=SIGTERM',
  '2024-03-02T00:20:01Z DEBUG draining connections=3',
  '2024-03-02T00:20:02Z DEBUG draining connections=1',
  '2024-03-02T00:20:03Z DEBUG draining connections=0',
  '2024-03-02T00:20:04Z INFO  server stopped',
  '',
].join('\n')

/** The project that every case starts from. */
export const SEED: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "order-service",
  "version": "1.4.2",
  "private": true,
  "scripts": {
    "build": "tsc -p .",
    "test": "vitest run",
    "lint": "biome check ."
  },
  "dependencies": {
    "express": "^4.18.2",
    "lodash": "^4.17.21",
    "zod": "^3.22.4"
  },
  "devDependencies": {
    "typescript": "^5.3.3",
    "vitest": "^1.2.0"
  }
}
`,
  'README.md': `# Order Service

A small HTTP service for orders.

## Install

\`\`\`sh
npm install
\`\`\`

## Usage

See [the API](docs/api.md) and [getting started](docs/getting%20started.md).

TODO: document the error codes.

## License

MIT
`,
  '.env': `# local settings
PORT=8080
DATABASE_URL=postgres://localhost:5432/orders
LOG_LEVEL=debug
API_KEY="s3cr3t key"
`,
  '.gitignore': 'node_modules/\ndist/\n*.log\n.env\n',
  'src/index.ts': `import { createServer } from './server'
import { formatDate } from './utils/dates'
import { capitalize, slugify } from './utils/strings'

// TODO: read the port from the configuration
const PORT = 8080

export function main(): void {
  const server = createServer()
  console.log(capitalize('starting'), formatDate(new Date(0)))
  server.listen(PORT)
}

console.log(slugify('Hello World'))
main()
`,
  'src/server.ts': `import express from 'express'
import type { Order } from './types'
import { getUser } from './api/users'

// TODO(anna): add authentication
export function createServer() {
  const app = express()
  app.get('/health', (_req, res) => res.send('ok'))
  app.get('/api/users/:id', (req, res) => {
    const user = getUser(req.params.id)
    if (!user) {
      console.log('missing user', req.params.id)
      return res.status(404).end()
    }
    return res.json(user)
  })
  // FIXME: orders are lost on restart
  const orders: Order[] = []
  app.get('/api/orders', (_req, res) => res.json(orders))
  return app
}
`,
  'src/types.ts': `export interface Order {
  id: number
  customer: string
  total: number
}

export type User = {
  id: string
  name: string
}
`,
  'src/api/users.ts': `import type { User } from '../types'

const users: Record<string, User> = {
  '7': { id: '7', name: 'Anna' },
}

// TODO: use the database
export const getUser = (id: string): User | undefined => users[id]
`,
  'src/utils/strings.ts': `/** Helpers for strings. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function slugify(text: string): string {
  // TODO: handle umlauts
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}

export const oldHelper = (x: string) => x
`,
  'src/utils/dates.ts': `export function formatDate(date: Date): string {
\treturn date.toISOString().slice(0, 10)
}
`,
  'src/legacy/old_api.js': `var oldHelper = require('./old_helper.js');
var unused = 1;

module.exports = function oldApi(callback) {
  // XXX: remove after the migration
  console.log("legacy call");
  callback(null, oldHelper());
};
`,
  'src/legacy/old_helper.js': `module.exports = function oldHelper() {
  return 'old';
};
`,
  'tests/strings.test.ts': `import { expect, test } from 'vitest'
import { slugify } from '../src/utils/strings'

test('slugify', () => {
  expect(slugify('A b')).toBe('a-b')
})

test.skip('umlauts', () => {
  expect(slugify('ü')).toBe('ue')
})
`,
  'docs/api.md': `# API

| Method | Path | Status |
| ------ | ---- | ------ |
| GET | /health | 200 |
| GET | /api/users/:id | 200, 404 |
| GET | /api/orders | 200 |

## Errors

- E_DECLINED
- E_TIMEOUT
`,
  'docs/getting started.md': `# Getting started

1. Install the dependencies.
2. Copy \`.env\`.
3. Run the server.
`,
  'data/people.csv': `id,name,city,age,salary
1,Anna,Berlin,34,5200
2,Bob,Paris,28,4100
3,Chloé,Paris,45,7300
4,Dmitri,Berlin,51,6900
5,Eve,London,23,3100
6,Frank,London,39,5600
7,Grace,Berlin,28,4700
8,Heidi,Zürich,61,9800
`,
  'data/orders.json': `[
  { "id": 1001, "customer": "Anna", "total": 25.5, "items": ["pen", "ink"], "paid": true },
  { "id": 1003, "customer": "Bob", "total": 110, "items": ["lamp"], "paid": false },
  { "id": 1007, "customer": "Anna", "total": 8.25, "items": [], "paid": false },
  { "id": 1011, "customer": "Eve", "total": 64, "items": ["desk mat", "mug", "pen"], "paid": true }
]
`,
  'data/events.ndjson': `{"type":"login","user":"anna"}
{"type":"order","user":"bob","id":1003}
{"type":"login","user":"bob"}
{"type":"logout","user":"anna"}
`,
  'config/settings.ini': `; defaults
[server]
host = localhost
port = 8080

[database]
host = db.internal
port = 5432
pool = 10
`,
  'config/env/dev.json': '{"debug":true,"level":"debug","retries":3}\n',
  'config/env/prod.json': '{"debug":false,"level":"warn","retries":5}\n',
  'scripts/lib.sh': `#!/usr/bin/env bash
log() { printf '[%s] %s\\n' "$1" "$2"; }
die() { log error "$1" >&2; return "\${2:-1}"; }
LIB_VERSION=3
`,
  'scripts/build.sh': `#!/usr/bin/env bash
set -euo pipefail
. "$(dirname "$0")/lib.sh"
log info "building \${1:-all}"
[ "\${1:-all}" != broken ] || exit 3
log info done
`,
  'logs/app.log': LOG,
  'notes/empty.txt': '',
  'notes/no-newline.txt': 'first line\nlast line without newline',
  'notes/unicode.txt': 'Grüße aus Köln\nnaïve café\n日本語テキスト\nemoji 🚀 done\nplain ascii\n',
  'notes/windows.txt': 'alpha\r\nbeta\r\ngamma\r\n',
}
