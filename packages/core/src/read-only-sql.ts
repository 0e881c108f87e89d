/** `memory.query`: the owner's SQL over all tenants, one reading statement. */
import { MemoryError } from './errors.ts'
import type { SqlDatabase } from './sql/database.ts'

/**
 * Runs one reading statement.
 *
 * `query_only` refuses writes, also inside a CTE. It would not refuse a pragma, and some pragmas act when they are only
 * prepared; so the first word is looked at before SQLite sees the text. Table-valued pragma functions only read.
 * @throws {MemoryError} NOT_READ_ONLY, QUERY_FAILED
 */
export function queryReadOnly(db: SqlDatabase, sql: unknown, params: unknown): Record<string, string | number | null>[] {
  if (typeof sql !== 'string') throw new MemoryError('INVALID_ARGUMENT', 'sql must be a string', { field: 'sql' })
  if (params !== undefined && !Array.isArray(params))
    throw new MemoryError('INVALID_ARGUMENT', 'params must be a list', { field: 'params' })
  for (const [index, value] of ((params ?? []) as unknown[]).entries()) {
    if (value !== null && typeof value !== 'string' && typeof value !== 'number')
      throw new MemoryError('INVALID_ARGUMENT', `params[${index}] must be a string, a number or null`, {
        field: `params[${index}]`,
      })
  }
  const bare = withoutComments(sql).trim().replace(/;\s*$/u, '')
  if (!/^(?:(?:explain\s+query\s+plan\s+)?(?:select|with|values))\b/iu.test(bare) || bare.includes(';'))
    throw new MemoryError('NOT_READ_ONLY', 'query takes one statement that begins with select, with or values')
  try {
    return db.query(sql, (params ?? []) as (string | number | null)[])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (/readonly|read-only|not authorized/iu.test(reason))
      throw new MemoryError('NOT_READ_ONLY', 'query reads only; write through the handle of a tenant', { reason })
    throw new MemoryError('QUERY_FAILED', `SQLite refused the statement: ${reason}`, { reason }, { cause: error })
  }
}

/** Comments and the insides of quoted texts are left out, so that neither hides a second statement nor looks like one. */
function withoutComments(sql: string): string {
  return sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/gu, match =>
    match.startsWith('--') || match.startsWith('/*') ? ' ' : `${match[0] as string}${match.at(-1) as string}`,
  )
}
