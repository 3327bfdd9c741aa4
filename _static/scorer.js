/* Sphinx puts this before its own search, which a page may load twice: chapters first, their evidence next, the library last. */
var HOUSES = [
  [/^chapters\/evidence\//, 8],
  [/^chapters\//, 16],
  [/^pages\/api\//, -20],
  [/^(pages\/(changes|bibliography|certificates)|genindex)$/, -12],
];
var Scorer = {
  score: ([page, , , , score]) => score + (HOUSES.find(([name]) => name.test(page)) || [, 4])[1],
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
// a page opened from a disk may not read others, from which the search would quote
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
