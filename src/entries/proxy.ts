export { createProxy } from './proxy/handler.js'
export type { ProxyCacheOptions, ProxyOptions, ProxyRate, Upstream } from './proxy/options.js'
