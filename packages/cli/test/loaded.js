import { registerHooks } from 'node:module'
import { PassThrough } from 'node:stream'

/** A program for `processes.test.ts`: prints the packages that a look at the help loads. */
const packages = new Set()
registerHooks({
  load(url, context, nextLoad) {
    const [, name] = url.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/) ?? []
    if (name) packages.add(name)
    return nextLoad(url, context)
  },
})
const { run } = await import('@tillkit/cli')
const nowhere = () => new PassThrough().resume()
await run(['--help'], { env: {}, stdin: process.stdin, stdout: nowhere(), stderr: nowhere() })
console.log(JSON.stringify([...packages].sort()))
process.exit()
