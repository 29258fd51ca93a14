"""The words that days are named with, as patterns, and all of them as words. Pure.

English, German, French and Spanish have blanks around words; Chinese and Japanese, which come after, have not.
"""

from __future__ import annotations

DAYS_BACK = (
    (2, r"the day before yesterday|vorgestern|avant[- ]hier|anteayer", "前天|一昨日|おととい"),
    (1, r"yesterday|gestern|hier|ayer", "昨天|昨日"),
    (0, r"today|heute|aujourd['’]hui|hoy", "今天|今日"),
    (
        0,
        r"this\s+(?:morning|afternoon|evening)|tonight|ce\s+(?:matin|soir)|esta\s+(?:mañana|tarde|noche)",
        "今[早晚朝晩]",
    ),
)
# Which of its two days a log has it under, nobody can say.
NIGHT = (r"last\s+night|(?:gestern|heute)\s+nacht|cette\s+nuit|anoche", "昨[晚夜晩]")
WEEKDAYS = (
    ("mondays?|montags?|lundi|lunes", "一", "月"),
    ("tuesdays?|dienstags?|mardi|martes", "二", "火"),
    ("wednesdays?|mittwochs?|mercredi|miércoles", "三", "水"),
    ("thursdays?|donnerstags?|jeudi|jueves", "四", "木"),
    ("fridays?|freitags?|vendredi|viernes", "五", "金"),
    ("saturdays?|samstags?|sonnabends?|samedi|sábado", "六", "土"),
    ("sundays?|sonntags?|dimanche|domingo", "[日天]", "日"),
)
LAST = r"(?:last|previous|past|letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?)"
LAST_AFTER = r"(?:derni(?:er|ère)|passée?|pasad[oa])"
THIS = r"(?:this|diese[nrsm]?|cette|ce|est[ae])"
SPANS = (
    (
        "week",
        "weeks?|wochen?|semaines?|semanas?",
        "上个?(?:星期|[周週])(?![一二三四五六日天])|先週",
        "这个?星期|[这這本][周週]|今週",
    ),
    ("month", "months?|monate?[ns]?|mois|mes(?:es)?", "上个月|上個月|上月|先月", "这个月|這個月|本月|今月"),
    ("year", "years?|jahre?[ns]?|ans?|année|años?", "去年|昨年", "今年"),
    ("day", "days?|tage?[n]?|jours?|días?", "", ""),
)
AGO = {
    "day": "天[之以]?前|日前",
    "week": "(?:个?星期|[周週]|週間)[之以]?前",
    "month": "(?:个月|個月|[かヶカ]月)[之以]?前",
    "year": "年[之以]?前",
}
COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10,
    "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "un": 1, "une": 1, "deux": 2, "trois": 3,
    "quatre": 4, "cinq": 5, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5,
    "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5,
}  # fmt: skip
NUMBER = "[0-9]{1,5}|" + "|".join(sorted((word for word in COUNTS if ord(word[0]) < 0x3000), key=len, reverse=True))
WIDE_NUMBER = "[0-9]{1,5}|[一二两三四五]"
IN = r"(?:in|during|since|of|from|im|seit|en|de|depuis|desde)"
HINTS = frozenset(
    """
    day days week weeks month months year years yesterday today monday mondays tuesday tuesdays wednesday wednesdays
    thursday thursdays friday fridays saturday saturdays sunday sundays morning afternoon evening tonight night
    tag tage tagen woche wochen monat monate monaten monats jahr jahre jahren jahres heute gestern vorgestern montag
    montags dienstag dienstags mittwoch mittwochs donnerstag donnerstags freitag freitags samstag samstags sonnabend
    sonnabends sonntag sonntags
    nacht jour jours matin soir nuit semaine semaines mois an ans année hui hier lundi mardi mercredi jeudi vendredi
    samedi dimanche
    día días semana semanas mes meses año años hoy ayer anteayer mañana tarde noche anoche lunes martes miércoles
    jueves viernes sábado domingo
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
"""Whoever adds a word to a pattern adds it here: a question without any of them names no day."""
