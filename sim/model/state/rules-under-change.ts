/**
 * Rules whose text changes while the engine follows the old one. True: the model reads the new
 * text. The record goes away when the engine follows it.
 */
export const isNew = {
  /** E-69: several members that leave a batch keep the pending order; all that conflict leave. */
  conflictsKeepOrder: true,
  /** E-73, E-82: a failure that a longer prefix mends is not contradicted. */
  mendedIsNoFlake: true,
  /** E-31, E-32, E-97: a pull request that is tested alone does not end a batch. */
  aloneStandsAside: true,
  /** E-84, E-108: a restart request for an open member is always accepted. */
  restartsOpenMembers: true,
  /** E-56 to E-58: a hold awaits verdicts, and successors that can still give one. */
  holdAwaitsVerdicts: true,
  /** E-74, E-81: a conviction by elimination is confirmed where a bisection slot is free. */
  confirmsElimination: false,
  /** E-94, E-95: targets uploaded in the line count for groups that are formed or start later. */
  uploadsCountAtOnce: false,
}
