/** All operators, in the order in which they are applied. */

import { callOperators } from './calls.ts'
import { conditionOperators } from './conditions.ts'
import type { Operator } from './operator.ts'
import { statementOperators } from './statements.ts'
import { valueOperators } from './values.ts'

export const operators: readonly Operator[] = [
  ...conditionOperators,
  ...valueOperators,
  ...callOperators,
  ...statementOperators,
]
