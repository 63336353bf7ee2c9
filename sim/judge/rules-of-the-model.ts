/** The rules by which the model expects a deed, by its topic: a difference from the model names them. */
export const rulesOf: Readonly<Record<string, string>> = {
  NOT_READY: 'E-17 to E-19, E-261',
  PENDING:
    'E-17, E-18, E-27, E-36, E-55, E-61, E-70, E-89, E-95, E-105, E-107, E-109, E-187, E-190, E-193, E-234, E-235, E-237, E-261, E-266',
  TESTING: 'E-12, E-66, E-70, E-90, E-189, E-190',
  TESTS_PASSED: 'E-43, E-50, E-73, E-271 to E-273',
  PENDING_FAILURE: 'E-54, E-67, E-187, E-192, E-266',
  MERGED: 'E-40, E-43, E-45, E-110, E-272',
  FAILED:
    'E-21, E-44, E-60, E-61, E-64, E-66, E-68, E-73, E-74, E-200 to E-203, E-230, E-236, E-237',
  CANCELLED: 'E-46, E-105, E-264',
  'main runs':
    'E-12, E-22 to E-26, E-61 to E-64, E-158, E-189, E-190, E-210, E-232, E-262 to E-267',
  'bisection runs': 'E-71 to E-81, E-141, E-201 to E-203, E-230, E-232',
  'tip runs': 'E-229 to E-237',
  'cancelled runs':
    'E-36, E-50, E-55, E-64, E-84, E-90, E-95, E-105, E-107, E-109, E-187, E-229, E-235',
  holds: 'E-56, E-57, E-131 to E-134, E-226',
  'saved runs': 'E-78',
  'merge requests': 'E-10, E-43',
  branch: 'E-43, E-114',
  queue: 'E-102, E-103',
}
