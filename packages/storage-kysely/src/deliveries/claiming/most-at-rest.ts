/**
 * Once a claim has put so many to rest, it leaves out whom they are for and goes on to the others: a backlog of a paused endpoint
 * keeps nobody waiting until all of it rests. What is left of it is for the claims that follow.
 */
export const MOST_AT_REST = 2000
