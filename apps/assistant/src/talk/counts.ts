/** Counts in words. */

/** "2 statements went"; '' for none. */
export function countWords(count: number, one: string, verb = ''): string {
  if (count === 0) return ''
  return `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}${verb === '' ? '' : ` ${verb}`}`
}

/** "a", "a and b", "a, b and c", without the empty ones. */
export function listWords(parts: readonly string[]): string {
  const there = parts.filter(part => part !== '')
  const last = there.at(-1) ?? ''
  return there.length < 2 ? last : `${there.slice(0, -1).join(', ')} and ${last}`
}
