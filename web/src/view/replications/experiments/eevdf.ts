/** CFS and EEVDF: publications of kernel developers about the change, 2023 to 2025, and the bound of the theory. */
import type { ExperimentPage } from './types';

/** A thread that sleeps half the time, ticks, short slices, lag. */
export const EEVDF: ExperimentPage = {
  id: 'eevdf',
  title: 'From CFS to EEVDF: sleepers, slices and lag',
  learnt: 'EEVDF gives sleepers no bonus: 67 % to 33 %, where CFS gives half to each.',
  source:
    'P. Zijlstra, Linux kernel mailing list, March 2023; Linux commits 85e511df3cec (August 2024, numbers by M. Galbraith) and 2ae891b82695 (February 2025); I. Stoica and H. Abdel-Wahab, 1995',
  machine:
    'One CPU of a Ryzen 7 7840U, as the sources name none; short slices on a Raspberry Pi 4, as measured',
  era: 'Linux 4.9 (CFS), 6.6 and 6.12 (EEVDF)',
  workload:
    'A thread that always computes beside one that computes as long as it sleeps; hogs alone; cyclictest with a slice of 0.5 ms among hogs with one of 100 ms and a browser that plays a clip.',
  metric:
    'Shares of the CPU, lengths of turns, mean waits, and how far a thread is from its share.',
  note: 'How long the child computes at a time is not published: CFS gives it half of the CPU as long as that fits the credit of a sleeper, 12 ms here, and a third beyond. Of the browser the source has CPU time and turns of each thread, not who wakes whom; each is a sleeper by chance here. What was published of data bases and web servers under EEVDF (Prundeanu, Salisbury, Vernet: some percent slower) is not run: disks, networks and just-in-time compilers are no part of the model.',
  look: 'Look at the thread that wakes: under CFS it runs at once; under EEVDF it waits until its deadline is the earliest of those who are owed something.',
};
