const { MessageChannel, MessagePort } = globalThis
module.exports = { MessageChannel, MessagePort, isMainThread: true, parentPort: null, workerData: null, threadId: 0 }
