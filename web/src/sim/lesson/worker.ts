/** The worker of a lesson. */
import init from '../pkg/lessons_wasm';
import { serveLessons } from './serve';

serveLessons(init());
