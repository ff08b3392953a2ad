/** `postpack` of every published package, in its folder: the package has its own package.json again. */
import { putBack } from './manifest.ts'

putBack(process.cwd())
