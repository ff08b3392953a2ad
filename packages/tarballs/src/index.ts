/**
 * Packs what is published, and checks each tarball.
 *
 * @packageDocumentation
 */
export { check } from './check.ts'
export { packAll } from './pack-all.ts'
export { REPOSITORY } from './public-packages.ts'
export type { Tarball } from './tarball.ts'
