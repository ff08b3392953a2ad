import { registerHooks } from 'node:module'

/** A program for `imports.test.ts`: imports what it is given and prints the packages that were loaded by it. */
const packages = new Set()
registerHooks({
  load(url, context, nextLoad) {
    const [, name] = url.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/) ?? []
    if (name) packages.add(name)
    return nextLoad(url, context)
  },
})
for (const specifier of process.argv.slice(2)) await import(specifier)
console.log(JSON.stringify([...packages].sort()))
