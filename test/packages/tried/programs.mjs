// Programs for widely used packages, for docs/javascript.md ("Packages that were tried"). tried.node.deep.test.ts runs them. After a change
// here, run `node scripts/record-packages.mjs tried` for new packages or versions, and `npm run docs` for the table.

/**
 * A package and a program that uses it.
 *
 * @typedef {object} Tried
 * @property {string} use what the program does, for the table
 * @property {string} code
 * @property {string} prints
 * @property {string} [fails] the error, if the program does not work in the sandbox
 * @property {string[]} [with] other packages that the program needs
 * @property {Record<string, string>} [files]
 */

/**
 * By package: its name, or its name and a range.
 *
 * @type {Readonly<Record<string, Tried>>}
 */
export const PROGRAMS = {
  lodash: {
    use: 'templates, grouping',
    code: 'import _ from "lodash"; console.log(_.template("<%= a %>!")({ a: 1 }), JSON.stringify(_.groupBy([1, 2, 3], (n) => n % 2)))',
    prints: '1! {"0":[2],"1":[1,3]}',
  },
  'lodash-es': {
    use: 'chunks',
    code: 'import { chunk } from "lodash-es"; console.log(JSON.stringify(chunk([1, 2, 3], 2)))',
    prints: '[[1,2],[3]]',
  },
  ramda: { use: 'pipelines', code: 'import * as R from "ramda"; console.log(R.pipe(R.map(R.add(1)), R.sum)([1, 2]))', prints: '5' },
  immer: {
    use: 'a draft',
    code: 'import { produce } from "immer"; const a = { x: [1] }; const b = produce(a, (d) => { d.x.push(2) }); console.log(a.x.length, b.x.length)',
    prints: '1 2',
  },
  immutable: {
    use: 'a map',
    code: 'import { Map } from "immutable"; console.log(Map({ a: 1 }).set("b", 2).toString())',
    prints: 'Map { "a": 1, "b": 2 }',
  },
  rxjs: {
    use: 'a pipeline',
    code: 'import { from, map, toArray, lastValueFrom } from "rxjs"; console.log(await lastValueFrom(from([1, 2]).pipe(map((n) => n * 2), toArray())))',
    prints: '[ 2, 4 ]',
  },
  dayjs: {
    use: 'formats',
    code: 'import dayjs from "dayjs"; console.log(dayjs("2024-02-28").add(2, "day").format("YYYY-MM-DD ddd"))',
    prints: '2024-03-01 Fri',
  },
  'date-fns': {
    use: 'formats',
    code: 'import { addDays, format } from "date-fns"; console.log(format(addDays(new Date(2024, 1, 28), 2), "yyyy-MM-dd"))',
    prints: '2024-03-01',
  },
  moment: {
    use: 'formats',
    code: 'import moment from "moment"; console.log(moment.utc("2024-02-28").add(2, "d").format("LL"))',
    prints: 'March 1, 2024',
  },
  luxon: {
    use: 'arithmetic',
    code: 'import { DateTime } from "luxon"; console.log(DateTime.fromISO("2024-02-28T00:00:00Z", { zone: "utc" }).plus({ days: 2 }).toISODate())',
    prints: '2024-03-01',
    fails: "ReferenceError: 'Intl' is not defined",
  },
  zod: {
    use: 'validation',
    code: 'import { z } from "zod"; console.log(z.object({ n: z.number() }).safeParse({ n: "x" }).error.issues[0].code)',
    prints: 'invalid_type',
  },
  ajv: {
    use: 'validation',
    code: 'import Ajv from "ajv"; const v = new Ajv().compile({ type: "object", required: ["a"] }); console.log(v({ a: 1 }), v({}))',
    prints: 'true false',
  },
  joi: {
    use: 'validation',
    code: 'import Joi from "joi"; console.log(Joi.object({ a: Joi.number().min(2) }).validate({ a: 1 }).error.message)',
    prints: '"a" must be greater than or equal to 2',
  },
  yup: {
    use: 'validation',
    code: 'import * as yup from "yup"; console.log(await yup.object({ a: yup.string().required() }).isValid({}))',
    prints: 'false',
  },
  valibot: {
    use: 'validation',
    code: 'import * as v from "valibot"; console.log(v.safeParse(v.object({ a: v.string() }), { a: 1 }).success)',
    prints: 'false',
  },
  uuid: {
    use: 'v4, v5',
    code: 'import { v4, v5, validate } from "uuid"; console.log(validate(v4()), v5("hello.example", v5.DNS))',
    prints: 'true 93cb7851-852e-51cc-b01c-117ac06e463b',
  },
  nanoid: { use: 'ids', code: 'import { nanoid } from "nanoid"; console.log(nanoid().length)', prints: '21' },
  semver: {
    use: 'ranges',
    code: 'import semver from "semver"; console.log(semver.maxSatisfying(["1.2.3", "1.10.0", "2.0.0"], "^1"))',
    prints: '1.10.0',
  },
  ms: { use: 'durations', code: 'import ms from "ms"; console.log(ms("2 days"), ms(60000))', prints: '172800000 1m' },
  debug: {
    use: 'a log',
    code: 'import debug from "debug"; debug.enable("a"); debug.log = (t) => console.log(t.includes("hello")); debug("a")("hello %d", 1)',
    prints: 'true',
  },
  chalk: {
    use: 'colours',
    code: 'import { Chalk } from "chalk"; console.log(JSON.stringify(new Chalk({ level: 1 }).red("x")))',
    prints: '"\\u001b[31mx\\u001b[39m"',
  },
  picocolors: {
    use: 'colours',
    code: 'import pc from "picocolors"; console.log(JSON.stringify(pc.createColors(true).red("x")))',
    prints: '"\\u001b[31mx\\u001b[39m"',
  },
  commander: {
    use: 'options',
    code: 'import { Command } from "commander"; const c = new Command().option("-n, --name <n>").argument("<f>"); c.parse(["-n", "a", "b"], { from: "user" }); console.log(c.opts().name, c.args[0])',
    prints: 'a b',
  },
  yargs: {
    use: 'options',
    code: 'import yargs from "yargs"; console.log(yargs(["--n", "1", "f"]).parse().n)',
    prints: '1',
    fails: "ReferenceError: 'Intl' is not defined",
  },
  minimist: {
    use: 'options',
    code: 'import m from "minimist"; console.log(JSON.stringify(m(["--n", "1", "f"])))',
    prints: '{"_":["f"],"n":1}',
  },
  inquirer: {
    use: 'answers given beforehand',
    code: 'import i from "inquirer"; console.log(await i.prompt([{ name: "a", message: "A?" }, { name: "b", message: "B?", when: ({ a }) => a > 1 }], { a: 1 }))',
    prints: '{ a: 1 }',
  },
  ora: {
    use: 'a finished step',
    code: 'import ora from "ora"; ora({ text: "x", stream: process.stdout }).start().succeed("done")',
    prints: '- x\n✔ done',
    fails: "ReferenceError: 'Intl' is not defined",
  },
  axios: {
    use: 'a request to a local server',
    code: 'import axios from "axios"; import http from "node:http"; const s = http.createServer((q, r) => { r.setHeader("content-type", "application/json"); r.end("{\\"a\\":1}") }).listen(8080, async () => { const { data, status } = await axios.get("http://localhost:8080/"); console.log(status, data.a); s.close() })',
    prints: '200 1',
  },
  'node-fetch': {
    use: 'a request to a local server',
    code: 'import fetch from "node-fetch"; import http from "node:http"; const s = http.createServer((q, r) => r.end("hello")).listen(8080, async () => { console.log(await (await fetch("http://localhost:8080/")).text()); s.close() })',
    prints: 'hello',
  },
  got: {
    use: 'a request to a local server',
    code: 'import got from "got"; import http from "node:http"; const s = http.createServer((q, r) => r.end("hello")).listen(8080, async () => { console.log(await got("http://localhost:8080/").text()); s.close() })',
    prints: 'hello',
    fails: "ReferenceError: 'Intl' is not defined",
  },
  ky: {
    use: 'a request to a local server',
    code: 'import ky from "ky"; import http from "node:http"; const s = http.createServer((q, r) => r.end("hello")).listen(8080, async () => { console.log(await ky("http://localhost:8080/").text()); s.close() })',
    prints: 'hello',
  },
  express: {
    use: 'routes, a JSON body',
    code: 'import express from "express"; const app = express(); app.use(express.json()); app.get("/u/:id", (q, r) => r.json({ id: q.params.id })); app.post("/", (q, r) => r.status(201).send(q.body.a)); const s = app.listen(3000, async () => { console.log((await (await fetch("http://localhost:3000/u/7")).json()).id); const p = await fetch("http://localhost:3000/", { method: "POST", body: "{\\"a\\":\\"b\\"}", headers: { "content-type": "application/json" } }); console.log(p.status, await p.text()); s.close() })',
    prints: '7\n201 b',
  },
  hono: {
    use: 'routes',
    code: 'import { Hono } from "hono"; const app = new Hono().get("/u/:id", (c) => c.json({ id: c.req.param("id") })); console.log((await (await app.request("/u/7")).json()).id)',
    prints: '7',
  },
  '@hono/node-server': {
    use: 'Hono over node:http',
    with: ['hono'],
    code: 'import { serve } from "@hono/node-server"; import { Hono } from "hono"; const app = new Hono().post("/", async (c) => c.text((await c.req.text()) + "!")); const s = serve({ fetch: app.fetch, port: 3000 }, async () => { console.log(await (await fetch("http://localhost:3000/", { method: "POST", body: "a" })).text()); s.close() })',
    prints: 'a!',
  },
  koa: {
    use: 'a middleware',
    code: 'import Koa from "koa"; const app = new Koa(); app.use((c) => { c.body = { a: c.path } }); const s = app.listen(3000, async () => { console.log(await (await fetch("http://localhost:3000/x")).text()); s.close() })',
    prints: '{"a":"/x"}',
  },
  fastify: {
    use: 'a route',
    code: 'import Fastify from "fastify"; const app = Fastify(); app.get("/", async () => ({ a: 1 })); await app.listen({ port: 3000 }); console.log(await (await fetch("http://localhost:3000/")).text()); await app.close()',
    prints: '{"a":1}',
  },
  cors: {
    use: 'headers',
    with: ['express'],
    code: 'import express from "express"; import cors from "cors"; const s = express().use(cors()).get("/", (q, r) => r.send("x")).listen(3000, async () => { console.log((await fetch("http://localhost:3000/")).headers.get("access-control-allow-origin")); s.close() })',
    prints: '*',
  },
  'body-parser': {
    use: 'a JSON body',
    code: 'import b from "body-parser"; import http from "node:http"; const json = b.json(); const s = http.createServer((q, r) => json(q, r, () => r.end(q.body.a + "!"))).listen(3000, async () => { console.log(await (await fetch("http://localhost:3000/", { method: "POST", body: "{\\"a\\":1}", headers: { "content-type": "application/json" } })).text()); s.close() })',
    prints: '1!',
  },
  jsonwebtoken: {
    use: 'HS256',
    code: 'import jwt from "jsonwebtoken"; console.log(jwt.verify(jwt.sign({ a: 1 }, "k"), "k").a)',
    prints: '1',
  },
  jose: {
    use: 'reads a token',
    code: 'import { base64url, decodeJwt } from "jose"; console.log(decodeJwt("e30." + base64url.encode("{\\"a\\":1}") + ".x"))',
    prints: '{ a: 1 }',
  },
  bcryptjs: { use: 'a hash', code: 'import b from "bcryptjs"; console.log(b.compareSync("x", b.hashSync("x", 4)))', prints: 'true' },
  'react-dom': {
    use: '`react-dom/server`: a string, a stream',
    with: ['react'],
    code: 'import { createElement as h } from "react"; import { renderToString, renderToPipeableStream } from "react-dom/server"; import { PassThrough } from "node:stream"; import { text } from "node:stream/consumers"; console.log(renderToString(h("p", null, "a", 1))); const { pipe } = renderToPipeableStream(h("b", null, "x")); console.log(await text(pipe(new PassThrough())))',
    prints: '<p>a<!-- -->1</p>\n<b>x</b>',
  },
  preact: {
    use: 'renders to a string',
    with: ['preact-render-to-string'],
    code: 'import { h } from "preact"; import { render } from "preact-render-to-string"; console.log(render(h("p", null, "a")))',
    prints: '<p>a</p>',
  },
  vue: {
    use: 'renders to a string',
    with: ['@vue/server-renderer'],
    code: 'import { createSSRApp, h } from "vue"; import { renderToString } from "@vue/server-renderer"; console.log(await renderToString(createSSRApp({ render: () => h("p", "a") })))',
    prints: '<p>a</p>',
  },
  svelte: {
    use: 'compiles',
    code: 'import { compile } from "svelte/compiler"; console.log(compile("<p>a</p>", { generate: "server" }).js.code.includes("<p>a</p>"))',
    prints: 'true',
  },
  redux: {
    use: 'a store',
    code: 'import { legacy_createStore as c } from "redux"; const s = c((n = 0, a) => (a.type === "i" ? n + 1 : n)); s.dispatch({ type: "i" }); console.log(s.getState())',
    prints: '1',
  },
  marked: { use: 'Markdown', code: 'import { marked } from "marked"; console.log(marked("# *a*").trim())', prints: '<h1><em>a</em></h1>' },
  'markdown-it': {
    use: 'Markdown',
    code: 'import M from "markdown-it"; console.log(new M().render("# *a*").trim())',
    prints: '<h1><em>a</em></h1>',
  },
  cheerio: {
    use: 'a selector',
    code: 'import { load } from "cheerio"; console.log(load("<ul><li>a<li>b</ul>")("li").last().text())',
    prints: 'b',
  },
  jsdom: {
    use: 'a document (needs Node 22)',
    code: 'import { JSDOM } from "jsdom"; console.log(new JSDOM("<p>a").window.document.querySelector("p").textContent)',
    prints: 'a',
    fails: "TypeError: cannot read property 'bind' of undefined",
  },
  'jsdom@26': {
    use: 'a document',
    code: 'import { JSDOM } from "jsdom"; console.log(new JSDOM("<p>a").window.document.querySelector("p").textContent)',
    prints: 'a',
  },
  handlebars: {
    use: 'a template',
    code: 'import H from "handlebars"; console.log(H.compile("{{#each a}}<{{this}}>{{/each}}")({ a: [1, 2] }))',
    prints: '<1><2>',
  },
  ejs: { use: 'a template', code: 'import ejs from "ejs"; console.log(ejs.render("<%= a %>!", { a: 1 }))', prints: '1!' },
  mustache: { use: 'a template', code: 'import M from "mustache"; console.log(M.render("{{a}}!", { a: 1 }))', prints: '1!' },
  pug: { use: 'a template', code: 'import pug from "pug"; console.log(pug.render("p= a", { a: 1 }))', prints: '<p>1</p>' },
  yaml: {
    use: 'parses',
    code: 'import { parse } from "yaml"; console.log(JSON.stringify(parse("a: &x 1\\nb: *x")))',
    prints: '{"a":1,"b":1}',
  },
  'js-yaml': { use: 'parses', code: 'import { load } from "js-yaml"; console.log(JSON.stringify(load("a: [1]")))', prints: '{"a":[1]}' },
  papaparse: { use: 'CSV', code: 'import P from "papaparse"; console.log(P.parse("a,b\\n1,2", { header: true }).data[0].b)', prints: '2' },
  'csv-parse': {
    use: 'CSV',
    code: 'import { parse } from "csv-parse/sync"; console.log(parse("a,b\\n1,2", { columns: true })[0].b)',
    prints: '2',
  },
  'fast-xml-parser': {
    use: 'XML',
    code: 'import { XMLParser } from "fast-xml-parser"; console.log(new XMLParser().parse("<a><b>1</b></a>").a.b)',
    prints: '1',
  },
  xlsx: {
    use: 'writes and reads a sheet',
    code: 'import * as X from "xlsx"; const b = X.utils.book_new(); X.utils.book_append_sheet(b, X.utils.aoa_to_sheet([[1, "a"]])); const r = X.read(X.write(b, { type: "buffer" })); console.log(r.Sheets.Sheet1.B1.v)',
    prints: 'a',
  },
  jszip: {
    use: 'writes and reads a zip',
    code: 'import Z from "jszip"; const z = new Z(); z.file("a", "text"); console.log(await (await Z.loadAsync(await z.generateAsync({ type: "uint8array" }))).file("a").async("string"))',
    prints: 'text',
  },
  'pdf-lib': {
    use: 'a page',
    code: 'import { PDFDocument } from "pdf-lib"; const d = await PDFDocument.create(); d.addPage(); console.log((await d.save()).length > 300)',
    prints: 'true',
  },
  qs: { use: 'parses', code: 'import qs from "qs"; console.log(JSON.stringify(qs.parse("a[b]=1")))', prints: '{"a":{"b":"1"}}' },
  prettier: {
    use: 'formats',
    code: 'import { format } from "prettier"; console.log((await format("a  =1", { parser: "babel" })).trim())',
    prints: 'a = 1;',
  },
  typescript: {
    use: 'scans tokens (the compiler is a native program)',
    code: 'import { SyntaxKind, createScanner } from "typescript/unstable/ast"; const s = createScanner(true, 0, "let a: number = 1"); const t = []; while (s.scan() !== SyntaxKind.EndOfFile) t.push(s.getTokenText()); console.log(t.join(" "))',
    prints: 'let a : number = 1',
  },
  'typescript@6': {
    use: 'transpiles',
    code: 'import ts from "typescript"; console.log(ts.transpileModule("let a: number = 1", {}).outputText.trim())',
    prints: '"use strict";\nlet a = 1;',
  },
  acorn: {
    use: 'parses',
    code: 'import { parse } from "acorn"; console.log(parse("a()", { ecmaVersion: 2024 }).body[0].type)',
    prints: 'ExpressionStatement',
  },
  '@babel/core': {
    use: 'transforms',
    code: 'import * as babel from "@babel/core"; console.log(babel.transformSync("a ?? b", { configFile: false, babelrc: false, compact: true }).code)',
    prints: 'a??b;',
  },
  glob: {
    use: 'finds files',
    files: { 'a/b.txt': '' },
    code: 'import { glob } from "glob"; console.log((await glob("a/*.txt")).join())',
    prints: 'a/b.txt',
  },
  'fs-extra': {
    use: 'reads JSON',
    files: { 'a.json': '{"a":1}' },
    code: 'import fs from "fs-extra"; console.log((await fs.readJson("a.json")).a)',
    prints: '1',
  },
  winston: {
    use: 'a log',
    code: 'import w from "winston"; w.createLogger({ format: w.format.simple(), transports: [new w.transports.Console()] }).info("hello")',
    prints: 'info: hello',
  },
  pino: {
    use: 'a log',
    code: 'import pino from "pino"; pino({ base: null, timestamp: false }, { write: (t) => console.log(t.trim()) }).info("hello")',
    prints: '{"level":30,"msg":"hello"}',
  },
  async: {
    use: 'a queue',
    code: 'import a from "async"; console.log(await a.mapLimit([1, 2], 1, async (n) => n * 2))',
    prints: '[ 2, 4 ]',
  },
  'p-limit': {
    use: 'a limit',
    code: 'import p from "p-limit"; const l = p(1); console.log(await Promise.all([1, 2].map((n) => l(async () => n * 2))))',
    prints: '[ 2, 4 ]',
  },
  'ts-pattern': {
    use: 'a match',
    code: 'import { match } from "ts-pattern"; console.log(match({ a: 1 }).with({ a: 1 }, () => "one").otherwise(() => ""))',
    prints: 'one',
  },
}
