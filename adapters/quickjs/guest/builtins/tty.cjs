module.exports = { isatty: () => false }
