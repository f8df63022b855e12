// @module-tag quickjs
import { createRequire } from 'node:module'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createTestWorkspace } from 'toolport/testing'
import { expect, it } from 'vitest'

/** A program that collects the names of all functions, by module and export, and of globals. */
const LIST = `
const { builtinModules } = require('module')
const found = {}
const look = (prefix, exports) => {
  if (exports === null || (typeof exports !== 'object' && typeof exports !== 'function')) return
  for (const key of Object.getOwnPropertyNames(exports)) {
    if (/^(_|prototype$|caller$|arguments$|constructor$)/.test(key)) continue
    let value
    try { value = exports[key] } catch { continue }
    if (typeof value === 'function') found[prefix + '.' + key] = [value.name, /^[A-Z]/.test(key) || /^class[ {]/.test(Function.prototype.toString.call(value))]
  }
}
for (const name of NAMES) { try { look(name, require(name)) } catch {} }
look('globalThis', globalThis)
for (const [name, made] of Object.entries({ timeout: setTimeout(() => {}), immediate: setImmediate(() => {}), console, process, signal: new AbortController().signal })) found['made.' + name] = [made.constructor.name, name !== 'console' && name !== 'process']
`
const MODULES = createRequire(import.meta.url)('node:module').builtinModules.filter((name: string) => !/^(_|internal)/.test(name))

it('quickjs names classes of modules like Node', async () => {
  const { workspace } = createTestWorkspace()
  const js = createQuickJs({ worker: false })(workspace)
  const list = LIST.replace('NAMES', JSON.stringify(MODULES))
  const { stdout, stderr } = await js.run({ code: `${list}\nconsole.log(JSON.stringify(found))`, format: 'commonjs', timeoutMs: 60_000 })
  expect(stderr).toBe('')
  const here = new Function('require', `${list}\nreturn found`)(createRequire(import.meta.url)) as Record<string, [string, boolean]>
  const classes = Object.entries(JSON.parse(stdout) as Record<string, [string, boolean]>).filter(
    ([key, [, isClass]]) => isClass && here[key],
  )
  expect(classes.length).toBeGreaterThan(50)
  expect(Object.fromEntries(classes.map(([key, [name]]) => [key, name]))).toEqual(
    Object.fromEntries(classes.map(([key]) => [key, here[key]?.[0]])),
  )
  await js.close?.()
})

/** The names that Node 20 exports from modules without a function in the sandbox. */
const EXPORTED: Readonly<Record<string, string>> = {
  child_process: 'ChildProcess, exec, execFile, execFileSync, execSync, fork, spawn, spawnSync',
  cluster:
    'SCHED_NONE, SCHED_RR, Worker, disconnect, fork, isMaster, isPrimary, isWorker, schedulingPolicy, settings, setupMaster, setupPrimary, workers',
  dns: 'ADDRCONFIG, ADDRGETNETWORKPARAMS, ALL, BADFAMILY, BADFLAGS, BADHINTS, BADNAME, BADQUERY, BADRESP, BADSTR, CANCELLED, CONNREFUSED, DESTRUCTION, EOF, FILE, FORMERR, LOADIPHLPAPI, NODATA, NOMEM, NONAME, NOTFOUND, NOTIMP, NOTINITIALIZED, REFUSED, Resolver, SERVFAIL, TIMEOUT, V4MAPPED, getDefaultResultOrder, getServers, lookup, lookupService, promises, resolve, resolve4, resolve6, resolveAny, resolveCaa, resolveCname, resolveMx, resolveNaptr, resolveNs, resolvePtr, resolveSoa, resolveSrv, resolveTxt, reverse, setDefaultResultOrder, setServers',
  'dns/promises':
    'ADDRGETNETWORKPARAMS, BADFAMILY, BADFLAGS, BADHINTS, BADNAME, BADQUERY, BADRESP, BADSTR, CANCELLED, CONNREFUSED, DESTRUCTION, EOF, FILE, FORMERR, LOADIPHLPAPI, NODATA, NOMEM, NONAME, NOTFOUND, NOTIMP, NOTINITIALIZED, REFUSED, Resolver, SERVFAIL, TIMEOUT, getDefaultResultOrder, getServers, lookup, lookupService, resolve, resolve4, resolve6, resolveAny, resolveCaa, resolveCname, resolveMx, resolveNaptr, resolveNs, resolvePtr, resolveSoa, resolveSrv, resolveTxt, reverse, setDefaultResultOrder, setServers',
  http2:
    'Http2ServerRequest, Http2ServerResponse, connect, constants, createSecureServer, createServer, getDefaultSettings, getPackedSettings, getUnpackedSettings, performServerHandshake, sensitiveHeaders',
  net: 'BlockList, Server, Socket, SocketAddress, Stream, connect, createConnection, createServer, getDefaultAutoSelectFamily, getDefaultAutoSelectFamilyAttemptTimeout, isIP, isIPv4, isIPv6, setDefaultAutoSelectFamily, setDefaultAutoSelectFamilyAttemptTimeout',
  tls: 'CLIENT_RENEG_LIMIT, CLIENT_RENEG_WINDOW, DEFAULT_CIPHERS, DEFAULT_ECDH_CURVE, DEFAULT_MAX_VERSION, DEFAULT_MIN_VERSION, SecureContext, Server, TLSSocket, checkServerIdentity, connect, convertALPNProtocols, createSecureContext, createSecurePair, createServer, getCiphers, rootCertificates',
}

it.each(Object.entries(EXPORTED))('quickjs: a program can import every name that node:%s exports in Node 20', async (module, names) => {
  const { workspace } = createTestWorkspace()
  const js = createQuickJs({ worker: false })(workspace)
  const { stdout, stderr } = await js.run({
    code: `import { ${names} } from 'node:${module}'\nconsole.log([${names}].includes(undefined))`,
  })
  expect({ stdout, stderr }).toEqual({ stdout: 'false\n', stderr: '' })
  await js.close?.()
})

it('quickjs: functions of node:dns that need a name server fail with ENOTFOUND', async () => {
  const { workspace } = createTestWorkspace()
  const js = createQuickJs({ worker: false })(workspace)
  const code = `import dns, { promises } from 'node:dns'
    const called = await new Promise((done) => new dns.Resolver().resolve4('a.example', done))
    const asked = await new promises.Resolver().resolveTxt('a.example').catch((error) => error)
    console.log(called.code, called.message, asked.code, asked.syscall, asked.hostname)`
  const { stdout, stderr } = await js.run({ code })
  const message = 'resolve4 ENOTFOUND a.example: the sandbox has no DNS. Use fetch.'
  expect({ stdout, stderr }).toEqual({ stdout: `ENOTFOUND ${message} ENOTFOUND resolveTxt a.example\n`, stderr: '' })
  await js.close?.()
})

it('quickjs: functions of node:dns throw without a callback, and an error of the callback is an uncaught exception', async () => {
  const { workspace } = createTestWorkspace()
  const js = createQuickJs({ worker: false })(workspace)
  const code = `import dns from 'node:dns'
    process.on('uncaughtException', (error) => console.log(error.message))
    process.on('unhandledRejection', () => console.log('never'))
    const calls = [() => dns.lookup('localhost'), () => dns.lookup('a.example', { all: true }), () => dns.resolve4('a.example'), () => new dns.Resolver().reverse('1.2.3.4'), () => dns.lookupService('1.2.3.4', 80)]
    for (const call of calls) try { call(); console.log('never') } catch ({ name, code, message }) { console.log(name, code, message) }
    const failing = (text) => () => { throw new Error(text) }
    dns.lookup('localhost', failing('found')); dns.lookup('a.example', failing('missing')); dns.resolve('a.example', 'MX', failing('asked')); dns.lookupService('1.2.3.4', 80, failing('service'))
    dns.lookup('localhost', null, (...given) => console.log(given)); dns.lookup('::1', { all: true }, (...given) => console.log(given))`
  const { stdout, stderr } = await js.run({ code })
  const missing = 'TypeError ERR_INVALID_ARG_TYPE The "callback" argument must be of type function. Received '
  const thrown = ['undefined', 'type object ([object Object])', 'undefined', 'undefined', 'undefined'].map((what) => missing + what)
  const called = ["[ null, '127.0.0.1', 4 ]", "[ null, [ { address: '::1', family: 6 } ] ]"]
  expect({ stdout, stderr }).toEqual({ stdout: [...thrown, 'found', 'missing', 'asked', 'service', ...called, ''].join('\n'), stderr: '' })
  await js.close?.()
})
