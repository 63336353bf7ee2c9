/** The rules that a difference from the model names. */

/** The rules by which the model expects a deed, by its topic. */
export const rulesOf: Readonly<Record<string, string>> = {
  NOT_READY: 'E-17 to E-19',
  PENDING: 'E-17, E-18, E-27, E-36, E-55, E-61, E-70, E-89, E-95, E-105, E-107, E-109',
  TESTING: 'E-12, E-66, E-70, E-90',
  TESTS_PASSED: 'E-43, E-50, E-73',
  PENDING_FAILURE: 'E-54, E-67',
  MERGED: 'E-40, E-43, E-45, E-110',
  FAILED: 'E-21, E-44, E-60, E-61, E-64, E-66, E-68, E-73, E-74',
  CANCELLED: 'E-46, E-105',
  'main runs': 'E-12, E-22 to E-26, E-210',
  'bisection runs': 'E-71 to E-81, E-141',
  'tip runs': 'E-229 to E-234',
  'cancelled runs': 'E-36, E-50, E-55, E-64, E-84, E-90, E-95, E-105, E-107, E-109',
  'saved runs': 'E-78',
  'merge requests': 'E-10, E-43',
  branch: 'E-43, E-114',
  queue: 'E-102, E-103',
}
