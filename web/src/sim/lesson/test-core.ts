/// <reference types="node" />
/** The package of lessons with all their texts, for tests. */
import { readFileSync } from 'node:fs';
import * as core from '../pkg/lessons_wasm';

const read = (name: string) => readFileSync(`${import.meta.dirname}/../pkg/${name}`);

core.initSync({ module: read('lessons_wasm_bg.wasm') });
core.provideLessons(read('lessons.json').toString());
