/** What a planted defect can take away from the simulated database. */

/** Sentences of the correctness argument that a planted defect takes away. */
export type Weakness =
  | 'no lock and no unique number'
  | 'no idle timeout'
  | 'any saved state'
  | 'writes of any sender'
  | 'writes after any other'
  | 'writes for any log'
  | 'terms without an end'
