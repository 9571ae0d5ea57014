/** The reasons of decisions, from the files beside the code that decides (`web/reasons.js`). */
declare module 'virtual:reasons/names' {
  const names: import('./folder').ByReason<import('./folder').ReasonNames>;
  export default names;
}
declare module 'virtual:reasons/texts' {
  const texts: import('./folder').ByReason<import('./folder').ReasonTexts>;
  export default texts;
}
