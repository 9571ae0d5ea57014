// Options on a script's command line.
import { Failure } from './log.mjs';

/** The value after `--name`, or undefined; every occurrence with `all: true`. */
export function option(args, name, { all = false } = {}) {
  const values = [];
  args.forEach((arg, index) => {
    if (arg === name) {
      const value = args[index + 1];
      if (value === undefined) throw new Failure(`${name} needs a value.`);
      values.push(value);
    } else if (arg.startsWith(`${name}=`)) {
      values.push(arg.slice(name.length + 1));
    }
  });
  return all ? values : values[0];
}

/** The whole number after `--name`, at least 1, or `fallback`. */
export function countOption(args, name, fallback) {
  const text = option(args, name);
  if (text === undefined) return fallback;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) {
    throw new Failure(`${name} needs a whole number from 1, not "${text}".`);
  }
  return count;
}

export function portOption(args, fallback) {
  const text = option(args, '--port');
  if (text === undefined) return fallback;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Failure(`--port needs a number from 1 to 65535, not "${text}".`);
  }
  return port;
}
