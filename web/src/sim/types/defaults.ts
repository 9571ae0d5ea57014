// Generated from the core; do not edit.

/** What the core fills in where it is left out, and the types of the fields within: by type. */
export const DEFAULTS: Readonly<
  Record<string, { readonly defaults: object; readonly fields: object }>
> = {
  "Background": {
    "defaults": {},
    "fields": {
      "daemons": "Daemons",
      "kernelThreads": "KernelThreads"
    }
  },
  "BehaviourChoice": {
    "defaults": {
      "params": {}
    },
    "fields": {}
  },
  "CacheSpec": {
    "defaults": {
      "exclusive": false,
      "kinds": [],
      "portMilli": 1000,
      "replacement": "lru"
    },
    "fields": {}
  },
  "ControlGroup": {
    "defaults": {
      "burstUs": 0,
      "periodUs": 100000
    },
    "fields": {}
  },
  "CoreSpec": {
    "defaults": {
      "cluster": 1,
      "kind": "",
      "speedMilli": 1000
    },
    "fields": {}
  },
  "Daemons": {
    "defaults": {
      "chainPercent": 50,
      "count": 10,
      "interruptPercent": 30,
      "runMeanNs": 100000,
      "tickAlignedPercent": 50,
      "wakesPerSecond": 300
    },
    "fields": {}
  },
  "EndCondition": {
    "defaults": {
      "whenAllExited": false
    },
    "fields": {}
  },
  "KernelThreads": {
    "defaults": {
      "runNs": 10000,
      "wakesPerSecond": 2
    },
    "fields": {}
  },
  "LlcSpec": {
    "defaults": {},
    "fields": {
      "cores": "CoreSpec"
    }
  },
  "MachineSpec": {
    "defaults": {
      "isa": "amd64",
      "provenance": []
    },
    "fields": {
      "caches": "CacheSpec",
      "memory": "MemorySpec",
      "topology": "TopologySpec"
    }
  },
  "MemorySpec": {
    "defaults": {
      "distances": [],
      "remote": []
    },
    "fields": {}
  },
  "NodeSpec": {
    "defaults": {},
    "fields": {
      "llcs": "LlcSpec"
    }
  },
  "PackageSpec": {
    "defaults": {},
    "fields": {
      "nodes": "NodeSpec"
    }
  },
  "Scenario": {
    "defaults": {
      "ask": "",
      "controls": [],
      "edits": [],
      "moments": [],
      "notes": "",
      "seed": 1,
      "timing": {
        "idleExitDelays": "timers",
        "idleTicks": "tickless",
        "tickPhase": "kernel"
      }
    },
    "fields": {
      "background": "Background",
      "end": "EndCondition",
      "groups": "ThreadGroup",
      "machine": "MachineSpec",
      "schedulers": "SchedulerChoice",
      "timing": "Timing"
    }
  },
  "SchedulerChoice": {
    "defaults": {
      "tunables": {}
    },
    "fields": {}
  },
  "ThreadGroup": {
    "defaults": {
      "nice": 0,
      "policy": "normal",
      "startNs": 0,
      "startSpacingNs": 1000000
    },
    "fields": {
      "behaviour": "BehaviourChoice"
    }
  },
  "Timing": {
    "defaults": {
      "idleExitDelays": "timers",
      "idleTicks": "tickless",
      "tickPhase": "kernel"
    },
    "fields": {}
  },
  "TopologySpec": {
    "defaults": {},
    "fields": {
      "packages": "PackageSpec"
    }
  }
};
