const { EventEmitter } = require('events')
const { createStdin } = require('./stdin.cjs')

const SIGNALS = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
}
/** Signals that the host reports to the program's caller. Other signals become an exit code. */
const HOSTS = ['SIGINT', 'SIGKILL', 'SIGTERM']

function createProcess(host, config, timers) {
  const process = new EventEmitter()
  const started = timers.now()
  let leaving
  const output = (stream, fd) => {
    const writable = new EventEmitter()
    return Object.assign(writable, {
      fd,
      isTTY: undefined,
      writable: true,
      columns: undefined,
      write(chunk, encoding, callback) {
        host.write(stream, typeof chunk === 'string' ? chunk : decode(chunk))
        const done = typeof encoding === 'function' ? encoding : callback
        if (typeof done === 'function') timers.nextTick(done)
        return true
      },
      end(chunk, encoding, callback) {
        if (chunk !== undefined && typeof chunk !== 'function') writable.write(chunk, encoding)
        const done = [chunk, encoding, callback].find((value) => typeof value === 'function')
        timers.nextTick(() => {
          writable.emit('finish')
          done?.()
        })
        return writable
      },
      cork() {},
      uncork() {},
    })
  }
  const decode = (chunk) => new TextDecoder().decode(chunk)
  const numeric = (code) => {
    const value = Number(code ?? 0)
    return Number.isInteger(value) ? ((value % 256) + 256) % 256 : 0
  }
  const hrtime = (before) => {
    const ms = timers.now() - started
    const time = [Math.floor(ms / 1000), Math.floor((ms % 1000) * 1e6)]
    if (!before) return time
    const [seconds, nanos] = [time[0] - before[0], time[1] - before[1]]
    return nanos < 0 ? [seconds - 1, nanos + 1e9] : [seconds, nanos]
  }
  hrtime.bigint = () => BigInt(Math.floor((timers.now() - started) * 1e6))
  const unsupported = (name) => () => {
    throw Object.assign(new Error(`process.${name}() is not available in this environment`), {
      code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
    })
  }
  Object.assign(process, {
    title: 'node',
    version: config.version,
    versions: { node: config.version.slice(1), quickjs: '2025' },
    arch: 'wasm32',
    platform: 'linux',
    release: { name: 'node' },
    argv: config.argv,
    argv0: 'node',
    execArgv: [],
    execPath: config.argv[0],
    env: { ...config.env },
    pid: 1,
    ppid: 0,
    features: {},
    config: {},
    exitCode: undefined,
    stdout: output('stdout', 1),
    stderr: output('stderr', 2),
    cwd: () => config.cwd,
    chdir: unsupported('chdir'),
    umask: () => 0o22,
    uptime: () => (timers.now() - started) / 1000,
    hrtime,
    nextTick: timers.nextTick,
    getuid: () => 0,
    getgid: () => 0,
    memoryUsage: () => {
      const heapTotal = Number(host.raw('memory'))
      return { rss: heapTotal, heapTotal, heapUsed: heapTotal, external: 0, arrayBuffers: 0 }
    },
    emitWarning(warning, type = 'Warning') {
      const text =
        warning instanceof Error
          ? `${warning.name}: ${warning.message}`
          : `${typeof type === 'object' ? (type.type ?? 'Warning') : type}: ${warning}`
      host.write('stderr', `(node:1) ${text}\n`)
    },
    exit(code) {
      if (code !== undefined) process.exitCode = code
      process.__leave(numeric(process.exitCode))
    },
    reallyExit: (code) => process.__leave(numeric(code)),
    abort: () => process.__leave(134),
    kill(_, signal = 'SIGTERM') {
      if (signal === 0) return true
      const name = typeof signal === 'number' ? Object.keys(SIGNALS).find((known) => SIGNALS[known] === signal) : `${signal}`
      if (name === undefined || !Object.hasOwn(SIGNALS, name))
        throw Object.assign(new TypeError(`Unknown signal: ${signal}`), { code: 'ERR_UNKNOWN_SIGNAL' })
      process.__signal(name)
      return true
    },
  })
  process.memoryUsage.rss = () => Number(host.raw('memory'))
  const hidden = {
    /** Ends the program. Never returns, because the host stops the engine. */
    __leave(code) {
      if (leaving !== undefined) leaving = code
      else {
        leaving = code
        process.exitCode = code
        try {
          process.emit('exit', code)
        } catch (error) {
          host.write('stderr', `${error?.stack ?? error}\n`)
          leaving = 1
        }
        if (process.exitCode !== undefined && process.exitCode !== code) leaving = numeric(process.exitCode)
      }
      host.ended = true
      host.raw('exit', String(leaving))
      for (;;);
    },
    /** Call when the program has ended by itself. Emits `exit` and returns the exit code. */
    __exit() {
      const code = numeric(process.exitCode)
      leaving = code
      process.emit('exit', code)
      return numeric(process.exitCode ?? code)
    },
    /** Emits a signal to the program's listeners. Without listeners, and for SIGKILL, ends the program. */
    __signal(name) {
      if (process.listenerCount(name) > 0 && name !== 'SIGKILL') return process.emit(name, name)
      if (HOSTS.includes(name)) host.raw('killed', name)
      else host.raw('exit', String(128 + SIGNALS[name]))
      host.ended = true
      for (;;);
    },
  }
  for (const [key, value] of Object.entries(hidden)) Object.defineProperty(process, key, { value, writable: true, enumerable: false })
  let stdin
  Object.defineProperty(process, 'stdin', {
    enumerable: true,
    configurable: true,
    get: () => (stdin ??= createStdin(host, timers, config.stdin)),
  })
  Object.defineProperty(process, Symbol.toStringTag, { value: 'process', configurable: true })
  return process
}

module.exports = { createProcess }
