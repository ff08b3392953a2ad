/** Some servers refuse to be root's: run by root, they are this user's, whom every system has. */
export const NOBODY = { uid: 65_534, gid: 65_534 }
