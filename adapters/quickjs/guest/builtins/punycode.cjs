module.exports = require('punycode/')
