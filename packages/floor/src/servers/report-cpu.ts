/** Answers each message of the parent with the microseconds of processor time that this process has used. */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
