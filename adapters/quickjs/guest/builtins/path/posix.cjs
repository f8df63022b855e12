module.exports = require('path')
