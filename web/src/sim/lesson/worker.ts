/** The worker of a lesson. */
import { loaded } from '../core-start';
import { serveLessons } from './serve';

serveLessons(loaded);
