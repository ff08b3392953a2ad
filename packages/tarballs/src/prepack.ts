/**
 * `prepack` of every published package, after its build: `node prepack.ts NPM`, in the package's folder. What npm packs from
 * now on has the published package.json; `postpack` puts the package's own back, and where npm fails before that
 * (no room for the tarball, Ctrl-C), the guard does.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { swap } from './manifest.ts'

const [, , npm = ''] = process.argv
swap(process.cwd())
// A shell that does not tell its parent (Windows') gets no guard: then the next `npm run pack:all` puts back.
if (Number(npm) > 0) {
  spawn(process.execPath, [join(import.meta.dirname, 'guard.ts'), npm], {
    detached: true,
    stdio: 'ignore',
  }).unref()
}
