// Words of the page in the language that it is built for.
import toRuntime from 'wuchale/runtime';

export const getRuntime = (catalogs) => toRuntime(catalogs[__LOCALE__] ?? catalogs.en, __LOCALE__);
export const getRuntimeRx = getRuntime;
