/** What the user points at. A thread is selected by name, so it is the same thread in every lane. */
export class Selection {
  /** Name of the selected thread. */
  thread = $state<string | null>(null);
  /** Selected CPU number. */
  cpu = $state<number | null>(null);
  /** Lane that steps, decisions and the inspector are about. */
  lane = $state(0);
  /** Thread under the pointer or the keyboard cursor. */
  hovered = $state<string | null>(null);
  /** Decision that somebody asks why of; taken away by who shows it. */
  decision = $state<{ lane: number; id: number } | null>(null);

  /** Selects a thread in every lane; the same one again takes the selection away. */
  toggleThread(name: string, lane: number): void {
    this.thread = this.thread === name && this.lane === lane ? null : name;
    this.cpu = null;
    this.lane = lane;
  }

  /** Selects a CPU in a lane. */
  toggleCpu(cpu: number, lane: number): void {
    this.cpu = this.cpu === cpu && this.lane === lane ? null : cpu;
    this.thread = null;
    this.lane = lane;
  }

  /** Selects nothing. */
  clear(): void {
    this.thread = null;
    this.cpu = null;
    this.decision = null;
  }
}
