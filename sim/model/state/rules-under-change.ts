/**
 * Rules whose text changes while the engine follows the old one. True: the model reads the new
 * text. The record goes away when the engine follows it.
 */
export const isNew = {
  /** E-74, E-81: the failed run of a batch is made once more in a slot that is left over. */
  confirmsElimination: false,
  /** E-94, E-95: targets uploaded in the line count for groups that are formed or start later. */
  uploadsCountAtOnce: false,
}
