/** The code that the page loads when a lesson is opened. */
import './layout.css';

export { default as LessonAnswer } from './LessonAnswer.svelte';
export { default as LessonColumn } from './LessonColumn.svelte';
