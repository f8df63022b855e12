module.exports = globalThis.console
