// Synchronous digests: the host provides them only as promises.
const { md5, ripemd160, sha1 } = require('@noble/hashes/legacy.js')
const { hmac } = require('@noble/hashes/hmac.js')
const { sha224, sha256, sha384, sha512 } = require('@noble/hashes/sha2.js')

module.exports = { hashes: { md5, ripemd160, sha1, sha224, sha256, sha384, sha512 }, hmac }
