module.exports = require('fflate')
