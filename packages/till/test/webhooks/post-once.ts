import { createPoster } from '../../src/webhooks/wire/post.ts'

/** A program for `tls.test.ts`: posts once to the URL it is given, every name at 127.0.0.1, and prints the result. */
const [url = ''] = process.argv.slice(2)
const poster = createPoster({
  options: { allowPrivateAddresses: true },
  timeoutSeconds: 10,
  connections: 1,
  now: async () => new Date(),
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
})
const body = Buffer.from('payload=%7B%7D')
const result = await poster.post(url, { body, headers: { 'Content-Length': String(body.length) } })
await poster.close()
console.log(JSON.stringify(result))
