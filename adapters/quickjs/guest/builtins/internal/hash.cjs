// Synchronous digests. The host provides digests only as promises.
module.exports = { ...require('@noble/hashes/hmac.js'), ...require('@noble/hashes/legacy.js'), ...require('@noble/hashes/sha2.js') }
