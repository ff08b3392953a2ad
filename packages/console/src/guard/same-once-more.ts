import { CommitUnknownError } from '@tillkit/storage'

/** Nobody knows whether it took place; the same form may be sent once more all the same, since it takes place once. */
export class SameOnceMoreError extends CommitUnknownError {}
