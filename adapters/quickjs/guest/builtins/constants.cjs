module.exports = { ...require('fs').constants, ...require('os').constants.signals }
